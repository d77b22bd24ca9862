/** What a caller submits, in the form that the commit works with; and what becomes of it. */
import { hash } from 'node:crypto';
import type { DocumentState } from '../../contract/documents.ts';
import type { Access } from '../access.ts';

export interface Submission {
  tenantId: string;
  /** What its sender may do, and so what it may hear of what the tenant has. */
  access: Access;
  scopeId: string;
  /** Which route it came by: the same key on another route is another request. */
  route: 'ingest' | 'documents' | 'attach';
  documentId: string | null;
  name: string;
  type: string;
  text: string | null;
  source: string | null;
  provenance: string | null;
  idempotencyKey: string | null;
  /** Of the request that brought it. It makes no other content, and no other request. */
  traceparent: string | null;
}

export interface AcceptedDocument {
  scope_id: string;
  document_id: string;
  version: number;
  seq: number;
  name: string;
  type: string;
  state: DocumentState;
}

export interface Acceptance {
  document: AcceptedDocument;
  /** The idempotency key was used before, for the same request. */
  replayed: boolean;
}

/** Without text there is nothing to process, ever. */
export function firstState({ route, text }: Submission): 'registered' | 'pending' | 'queued' {
  if (route === 'ingest') return 'queued';
  return text === null ? 'registered' : 'pending';
}

/** Two submissions of one document with the same content are one version of it. In base64. */
export function contentHash({ name, type, text, source, provenance }: Submission): string {
  return hash('sha256', JSON.stringify([name, type, text, source, provenance]), 'base64');
}

/** What must be the same for a repeated idempotency key. In base64. */
export function fingerprint(submission: Submission, content: string): string {
  const { route, scopeId, documentId } = submission;
  return hash('sha256', JSON.stringify([route, scopeId, documentId, content]), 'base64');
}

/** A rough measure of what it holds in memory. */
export function sizeOf({ text, name, source, provenance }: Submission): number {
  return 500 + (text?.length ?? 0) + name.length + (source?.length ?? 0) + (provenance?.length ?? 0);
}
