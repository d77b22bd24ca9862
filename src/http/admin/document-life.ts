/** GET /admin/tenants/{tenantId}/scopes/{scopeId}/documents/{document_id}: what its tenant reads of a document, and its whole life. */
import { Type } from '@sinclair/typebox';
import { PageQuery, ScopePath, Wait } from '../../contract/common.ts';
import { DocumentPath } from '../../contract/documents.ts';
import { DocumentLife } from '../../contract/found-documents.ts';
import { TenantPath } from '../../contract/tenants.ts';
import { getDocument, listVersions } from '../../domain/documents.ts';
import { actForTenantInPath, tenantOf, turnsOfOperators } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { answerWaiting } from '../waiting.ts';

export function mountDocumentLife(app: App, deps: Deps): void {
  const { db } = deps;
  app.get(
    '/tenants/:tenantId/scopes/:scopeId/documents/:document_id',
    {
      config: { errors: ['not_found'], boundsItself: true },
      // Whoever waits takes the turns of operators by itself.
      preHandler: actForTenantInPath(deps, null),
      schema: {
        operationId: 'getDocumentOfTenant',
        summary: 'Read the state of a document, and what became of each of its versions',
        description:
          'As GET /api/documents/{document_id}. `versions` has when each was accepted, queued, taken and done, its attempts ' +
          'and the error of the last one; `cursor` and `limit` are for these.',
        tags: ['documents'],
        params: Type.Object({ ...TenantPath.properties, ...ScopePath.properties, ...DocumentPath.properties }),
        querystring: Type.Object({ wait: Wait, ...PageQuery.properties }, { additionalProperties: false }),
        response: { 200: DocumentLife },
      },
    },
    (request, reply) => {
      const { scopeId, document_id } = request.params;
      const tenantId = tenantOf(request);
      const withVersions = async <Document>(document: Document) => ({
        ...document,
        ...(await listVersions(db, tenantId, scopeId, document_id, request.query)),
      });
      return answerWaiting(deps, request, reply, {
        now: async () => withVersions(await getDocument(db, tenantId, scopeId, document_id)),
        later: async (waiters, waiting) => {
          const document = await waiters.document(waiting, scopeId, document_id);
          return turnsOfOperators(deps.reads, reply)(deps.answerWithinMs, () => withVersions(document));
        },
      });
    },
  );
}
