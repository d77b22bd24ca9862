/** Documents: what is sent, what is answered, what can be read back. */
import { type Static, Type } from '@sinclair/typebox';
import { NextCursor, Nullable, PageQuery, ScopeId, Timestamp, Wait } from './common.ts';
import { LeftOut } from './contradictions.ts';
import { Problem } from './problem.ts';

const Name = Type.String({ title: 'DocumentName', minLength: 1, maxLength: 500, examples: ['Lease of 12 March'] });
const DocumentType = Type.String({ maxLength: 50, default: 'txt', examples: ['txt'] });
const Text = Type.String({
  title: 'Text',
  minLength: 1,
  maxLength: 100_000,
  examples: ['The lease runs for three years from 12 March 2026.'],
});
export const DocumentId = Type.String({ title: 'DocumentId', minLength: 1, maxLength: 200, examples: ['lease-12'] });
const Source = Type.String({ minLength: 1, maxLength: 500, examples: ['https://example.org/leases/12'] });
/** Each request has an example of its own: who sends one after the other must not be told that the key was used. */
const idempotencyKey = (example: string) => Type.String({ minLength: 1, maxLength: 200, examples: [example] });
const Provenance = Type.String({
  title: 'Provenance',
  minLength: 1,
  maxLength: 500,
  description: 'A stable reference to where it comes from: a content hash, a source URI or an external id',
  examples: ['sha256:9f86d081884c7d65'],
});

const ingestFields = {
  name: Name,
  type: DocumentType,
  text: Text,
  document_id: Type.Optional(DocumentId),
  source: Type.Optional(Source),
  idempotency_key: Type.Optional(idempotencyKey('import-7-line-31')),
};

export const IngestDocumentRequest = Type.Object(
  { scope_id: ScopeId, ...ingestFields },
  { title: 'IngestDocumentRequest', additionalProperties: false },
);

export const IngestDocumentResponse = Type.Object(
  {
    scope_id: ScopeId,
    name: Name,
    type: Type.String({ maxLength: 50, examples: ['txt'] }),
    document_id: Nullable(DocumentId),
    idempotency_key: Nullable(idempotencyKey('import-7-line-31')),
    queued: Type.Literal(true),
    seq: Nullable(Type.Integer({ minimum: 0, description: 'Its position in the scope', examples: [0] })),
    integration_version: Type.Literal('v1'),
    message: Type.String({ examples: ['Queued for processing.'] }),
  },
  { title: 'IngestDocumentResponse', additionalProperties: false },
);

export const IngestBatchRequest = Type.Object(
  {
    documents: Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: 100,
      description: 'Each as in POST /api/ingest; one that is wrong does not keep the others out',
      examples: [[{ scope_id: 'contracts-2026', name: 'Lease of 12 March', text: 'The lease runs for three years.' }]],
    }),
  },
  { title: 'IngestBatchRequest', additionalProperties: false },
);

const batchResults = (example: number) =>
  Type.Array(
    Type.Object(
      {
        status: Type.Integer({ description: 'What POST /api/ingest would have answered', examples: [202] }),
        document: Type.Optional(IngestDocumentResponse),
        error: Type.Optional(Problem),
      },
      { title: 'BatchResult' },
    ),
    { description: 'One for each document, in order', examples: [[{ status: example }]] },
  );

export const IngestBatchResponse = Type.Object(
  {
    results: batchResults(202),
    accepted: Type.Integer({ minimum: 1, description: 'How many of them were accepted', examples: [1] }),
    rejected: Type.Integer({ minimum: 0, examples: [0] }),
  },
  { title: 'IngestBatchResponse' },
);

export const BatchRejected = Type.Object(
  {
    ...Problem.properties,
    code: Type.Literal('batch_rejected'),
    results: batchResults(400),
    accepted: Type.Literal(0),
    rejected: Type.Integer({ minimum: 1, examples: [1] }),
  },
  { title: 'BatchRejected', description: 'None of the documents was accepted' },
);

const { text: _text, ...withoutText } = ingestFields;
export const CreateDocumentBody = Type.Object(
  {
    scope_id: ScopeId,
    ...withoutText,
    text: Type.Optional(Text),
    idempotency_key: Type.Optional(idempotencyKey('register-2026-11-15-4')),
    provenance: Type.Optional(Provenance),
  },
  {
    title: 'CreateDocumentBody',
    additionalProperties: false,
    description: 'Without text it is an entry of a register',
  },
);

export const AttachDocumentBody = Type.Object(
  {
    ...ingestFields,
    idempotency_key: Type.Optional(idempotencyKey('archive-box-12')),
    provenance: Type.Optional(Provenance),
  },
  { title: 'AttachDocumentBody', additionalProperties: false },
);

export const DocumentState = Type.Union(
  (['pending', 'queued', 'processing', 'processed', 'failed', 'superseded'] as const).map((state) =>
    Type.Literal(state),
  ),
  { title: 'DocumentState', examples: ['queued'] },
);
export type DocumentState = Static<typeof DocumentState>;

export const StoredDocument = Type.Object(
  {
    scope_id: ScopeId,
    document_id: DocumentId,
    version: Type.Integer({ minimum: 1, examples: [1] }),
    seq: Type.Integer({ minimum: 0, examples: [0] }),
    name: Name,
    type: Type.String({ examples: ['txt'] }),
    state: DocumentState,
    idempotency_key: Nullable(idempotencyKey('register-2026-11-15-4')),
    message: Type.String({ examples: ['Stored.'] }),
  },
  { title: 'StoredDocument' },
);

const recordFields = {
  document_id: DocumentId,
  version: Type.Integer({ minimum: 1, examples: [1] }),
  seq: Type.Integer({ minimum: 0, examples: [0] }),
  name: Name,
  type: Type.String({ examples: ['txt'] }),
  source: Nullable(Source),
  provenance: Nullable(Provenance),
  state: DocumentState,
  attempts: Type.Integer({ minimum: 0, examples: [0] }),
  error: Nullable(Type.String({ description: 'Why the last attempt failed', examples: ['out of time'] })),
  accepted_at: Timestamp,
  queued_at: Nullable(Timestamp),
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  not_before: Nullable(Timestamp),
  claims: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'Claims found in it; null when it is not processed, or a newer version is',
      examples: [3],
    }),
  ),
  warnings: Type.Array(Type.String({ examples: ['It is not valid JSON: it was read as plain text.'] }), {
    description: 'What to know about how it was read',
  }),
};

export const Document = Type.Object(
  {
    scope_id: ScopeId,
    ...recordFields,
    contradictions: Type.Integer({
      minimum: 0,
      description: 'Open contradictions with other documents of its scope',
      examples: [1],
    }),
    contradictions_left_out: LeftOut,
  },
  { title: 'Document' },
);
export const DocumentRecord = Type.Object(recordFields, { title: 'DocumentRecord' });
export const DocumentList = Type.Object(
  {
    documents: Type.Array(DocumentRecord, {
      description:
        'Each version by itself. Where documents were deleted a moment ago there may be few on a page, or none: the last page is the one whose next_cursor is null',
    }),
    next_cursor: NextCursor,
  },
  { title: 'DocumentList' },
);

export const DocumentText = Type.Object(
  {
    document_id: DocumentId,
    version: recordFields.version,
    type: recordFields.type,
    text: Nullable({ ...Text, description: 'As it was sent; null of an entry of a register, which has none' }),
  },
  { title: 'DocumentText' },
);

export const DocumentPath = Type.Object({ document_id: DocumentId });
export const InScopeQuery = Type.Object({ scope_id: ScopeId }, { additionalProperties: false });
export const DocumentQuery = Type.Object({ scope_id: ScopeId, wait: Wait }, { additionalProperties: false });
export const DocumentTextQuery = Type.Object(
  {
    scope_id: ScopeId,
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The newest, when it is left out',
        examples: [1],
      }),
    ),
  },
  { additionalProperties: false },
);
export const DocumentListQuery = Type.Object(
  { ...PageQuery.properties, state: Type.Optional(DocumentState) },
  { additionalProperties: false },
);
