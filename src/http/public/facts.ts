/** GET /api/scopes/{scopeId}/facts, and …/facts/{fact_id} with its evidence. */
import { PageQuery, ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import { FactList, FactPath, FactQuery, FactWithEvidence } from '../../contract/facts.ts';
import { getFact, listFacts } from '../../domain/facts.ts';
import { readAsTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

export function mountFacts(app: App, deps: Deps): void {
  const { db } = deps;
  const options = {
    config: {
      errors: ['unauthorized' as const, 'not_found' as const, 'too_many_requests' as const],
      forOperators: 'reads' as const,
    },
    onRequest: readAsTenant(deps),
  };
  const schema = { tags: ['facts'], headers: TenantKeyHeader };

  app.get(
    '/scopes/:scopeId/facts',
    {
      ...options,
      schema: {
        ...schema,
        operationId: 'listFacts',
        summary: 'What the documents of a scope say, by how many, and where they disagree',
        description:
          'A fact is what claims have in common that have the same subject, attribute and qualifiers, whatever value they ' +
          'give. It is exact as soon as a document is processed, and a document that is deleted or superseded counts no ' +
          'more. A page looks at a few thousand facts at most: with a filter that few of them pass it may have fewer than ' +
          '`limit`, or none, and still a `next_cursor`.',
        params: ScopePath,
        querystring: FactQuery,
        response: { 200: FactList },
      },
    },
    (request) => listFacts(db, tenantOf(request), request.params.scopeId, request.query),
  );

  app.get(
    '/scopes/:scopeId/facts/:fact_id',
    {
      ...options,
      schema: {
        ...schema,
        operationId: 'getFact',
        summary: 'One fact with all its evidence, page by page',
        description: 'The cursor belongs to the evidence; the fact itself is as it is now on every page.',
        params: FactPath,
        querystring: PageQuery,
        response: { 200: FactWithEvidence },
      },
    },
    (request) => {
      const { scopeId, fact_id } = request.params;
      return getFact(db, tenantOf(request), scopeId, fact_id, request.query);
    },
  );
}
