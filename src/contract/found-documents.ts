/** What operators find among the documents of all tenants, and have tried again. */
import { Type } from '@sinclair/typebox';
import { NextCursor, PageQuery, ScopeId, TenantId, Timestamp } from './common.ts';
import { Document, DocumentId, DocumentRecord, DocumentState } from './documents.ts';

const filter = {
  tenant_id: Type.Optional(TenantId),
  scope_id: Type.Optional(ScopeId),
  error: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'How the error begins',
      examples: ['Reading it took longer'],
    }),
  ),
  older_than: Type.Optional({ ...Timestamp, description: 'Only what came to its state before then' }),
};

export const FoundDocumentsQuery = Type.Object(
  {
    ...PageQuery.properties,
    state: Type.Optional(DocumentState),
    ...filter,
    document_id: Type.Optional({
      ...DocumentId,
      description: 'Only the newest version of this one, in each scope that has it',
    }),
  },
  { additionalProperties: false },
);

export const FoundDocuments = Type.Object(
  {
    documents: Type.Array(
      Type.Intersect([Type.Object({ tenant_id: TenantId, scope_id: ScopeId }), DocumentRecord], {
        title: 'FoundDocument',
      }),
    ),
    next_cursor: NextCursor,
  },
  { title: 'FoundDocuments' },
);

export const RetryRequest = Type.Object(
  {
    state: Type.Optional(Type.Literal('failed', { description: 'Alone, all that has failed in all tenants' })),
    ...filter,
    ids: Type.Optional(
      Type.Array(
        Type.Object(
          { tenant_id: TenantId, scope_id: ScopeId, document_id: DocumentId },
          { title: 'DocumentKey', additionalProperties: false },
        ),
        { minItems: 1, maxItems: 200, description: 'The newest versions of these' },
      ),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only count them. Alone it is refused', examples: [true] })),
  },
  {
    title: 'RetryRequest',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ state: 'failed', dry_run: true }],
  },
);

const count = (description: string) => Type.Integer({ minimum: 0, examples: [3], description });

export const RetryAnswer = Type.Object(
  {
    matched: count('Documents that were found'),
    queued: count('Documents that this call queued'),
    complete: Type.Boolean({ description: 'False when there is more: call again' }),
    older_than: { ...Timestamp, description: 'To be sent with the next call' },
  },
  { title: 'RetryAnswer' },
);

export const DocumentLife = Type.Intersect(
  [
    Document,
    Type.Object({
      versions: Type.Array(DocumentRecord, { description: 'What became of each, the newest first' }),
      next_cursor: NextCursor,
    }),
  ],
  { title: 'DocumentLife' },
);
