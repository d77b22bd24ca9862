/** The contradictions of a scope, for operators: GET /admin/scopes/{scopeId}/contradictions, GET and PATCH …/{contradictionId}. */
import { ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import {
  Contradiction,
  ContradictionList,
  ContradictionPath,
  DecideContradictionRequest,
  ScopeContradictionQuery,
} from '../../contract/contradictions.ts';
import { decideContradiction, getScopeContradiction, listContradictions } from '../../domain/contradictions.ts';
import { deedOf } from '../audits.ts';
import { actForTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

const tags = ['contradictions'];

export function mountContradictions(app: App, { db, keyring, convergence }: Deps): void {
  const onRequest = actForTenant(keyring, 'read');

  app.get(
    '/scopes/:scopeId/contradictions',
    {
      config: { errors: ['not_found'] },
      onRequest,
      schema: {
        operationId: 'listScopeContradictions',
        summary: 'List the contradictions of a scope',
        description:
          'Detected and reported ones, of every status unless one is asked for. What was left out for the sake of ' +
          'others is counted in `left_out`.',
        tags,
        headers: TenantKeyHeader,
        params: ScopePath,
        querystring: ScopeContradictionQuery,
        response: { 200: ContradictionList },
      },
    },
    (request) => listContradictions(db, tenantOf(request), request.params.scopeId, request.query),
  );

  app.get(
    '/scopes/:scopeId/contradictions/:contradictionId',
    {
      config: { errors: ['not_found'], forOperators: 'reads' },
      onRequest,
      schema: {
        operationId: 'getScopeContradiction',
        summary: 'Read one contradiction',
        description: 'Both claims with their evidence, and how it was decided.',
        tags,
        headers: TenantKeyHeader,
        params: ContradictionPath,
        response: { 200: Contradiction },
      },
    },
    (request) => {
      const { scopeId, contradictionId } = request.params;
      return getScopeContradiction(db, tenantOf(request), scopeId, contradictionId);
    },
  );

  app.patch(
    '/scopes/:scopeId/contradictions/:contradictionId',
    {
      config: { errors: ['not_found', 'conflict'], forOperators: 'changes', audits: 'contradiction.decided' },
      onRequest: actForTenant(keyring, 'decide'),
      schema: {
        operationId: 'decideContradiction',
        summary: 'Resolve or defer an open contradiction',
        description: 'It stays decided until new evidence speaks against it. One that is decided already is 409.',
        tags,
        headers: TenantKeyHeader,
        params: ContradictionPath,
        body: DecideContradictionRequest,
        response: { 200: Contradiction },
      },
    },
    (request) => {
      const { scopeId, contradictionId } = request.params;
      const deed = deedOf(request);
      return decideContradiction(db, tenantOf(request), scopeId, contradictionId, request.body, convergence, deed);
    },
  );
}
