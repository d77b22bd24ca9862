/** GET /api/documents/{document_id}/claims: what was understood of a document. */
import { ClaimList, ClaimQuery } from '../../contract/claims.ts';
import { TenantKeyHeader } from '../../contract/common.ts';
import { DocumentPath } from '../../contract/documents.ts';
import { listClaims } from '../../domain/document-claims.ts';
import { readAsTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

export function mountDocumentClaims(app: App, deps: Deps): void {
  app.get(
    '/documents/:document_id/claims',
    {
      config: { errors: ['unauthorized', 'not_found', 'conflict', 'too_many_requests'], forOperators: 'reads' },
      onRequest: readAsTenant(deps),
      schema: {
        operationId: 'listClaims',
        summary: 'List what a document claims, in order of its text',
        description:
          'Of the newest version that is processed. A document of which no version is processed is answered 409, and so is ' +
          'a page after the document was processed again: begin without a cursor then.',
        tags: ['documents'],
        headers: TenantKeyHeader,
        params: DocumentPath,
        querystring: ClaimQuery,
        response: { 200: ClaimList },
      },
    },
    (request) => {
      const wanted = { scopeId: request.query.scope_id, documentId: request.params.document_id };
      return listClaims(deps.db, tenantOf(request), wanted, request.query);
    },
  );
}
