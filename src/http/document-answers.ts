/** How an accepted document is answered, on the routes of two tiers. */
import type { Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  AttachDocumentBody,
  CreateDocumentBody,
  IngestDocumentRequest,
  IngestDocumentResponse,
  StoredDocument,
} from '../contract/documents.ts';
import type { AnswerHeader } from '../contract/headers.ts';
import type { IngestLine } from '../contract/ingest-stream.ts';
import type { Acceptance, Submission } from '../domain/accept/submission.ts';
import { mayRead } from '../domain/access.ts';
import { accessOf } from './access.ts';
import { tenantOf } from './auth.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

type Body =
  | Static<typeof IngestDocumentRequest>
  | Static<typeof CreateDocumentBody>
  | Static<typeof IngestLine>
  | Static<typeof AttachDocumentBody>;

/** 100,000 characters may be 1.2 MB of escapes. */
export const DOCUMENT_BODY_LIMIT = 2 * 1024 * 1024;

export function toSubmission(
  route: Submission['route'],
  request: FastifyRequest,
  scopeId: string,
  body: Body,
): Submission {
  return {
    tenantId: tenantOf(request),
    access: accessOf(request),
    scopeId,
    route,
    documentId: body.document_id ?? null,
    name: body.name,
    type: body.type,
    text: body.text ?? null,
    source: body.source ?? null,
    provenance: 'provenance' in body ? (body.provenance ?? null) : null,
    idempotencyKey: idempotencyKeyOf(request, body.idempotency_key),
    traceparent: request.trace?.traceparent ?? null,
  };
}

export function toIngestResponse(
  { document }: Acceptance,
  { idempotencyKey }: Submission,
): Static<typeof IngestDocumentResponse> {
  const { scope_id, name, type, document_id, seq } = document;
  return {
    scope_id,
    name,
    type,
    document_id,
    idempotency_key: idempotencyKey,
    queued: true,
    seq,
    integration_version: 'v1',
    message: 'Queued for processing.',
  };
}

export function toStoredDocument(
  { document }: Acceptance,
  { access, idempotencyKey }: Submission,
): Static<typeof StoredDocument> {
  return {
    ...document,
    // What became of a document that was there already is for those who may read it.
    state: mayRead(access, document.scope_id) ? document.state : 'pending',
    idempotency_key: idempotencyKey,
    message: 'Stored.',
  };
}

/** Says where the document can be read, and whether this is the first answer again. */
export function markAnswer(reply: FastifyReply, { document, replayed }: Acceptance): void {
  const { scope_id, document_id } = document;
  reply.header('location', `/api/documents/${encodeURIComponent(document_id)}?scope_id=${scope_id}`);
  if (replayed) reply.header('idempotency-replayed', 'true');
}

/** What it sets, for the contract. */
export const MARKS: AnswerHeader[] = ['Location', 'Idempotency-Replayed'];
