/** POST and GET /api/contradictions, GET and PATCH /api/contradictions/{contradictionId}. */
import { TenantIdHeader, TenantKeyHeader } from '../../contract/common.ts';
import {
  Contradiction,
  ContradictionList,
  ContradictionQuery,
  CreateContradictionBody,
  DecideContradictionRequest,
  OwnContradictionPath,
} from '../../contract/contradictions.ts';
import {
  decideOwnContradiction,
  getContradiction,
  listContradictions,
  reportContradiction,
} from '../../domain/contradictions.ts';
import { accessOf } from '../access.ts';
import { deedOf } from '../audits.ts';
import { changeAsTenant, readAsTenant, reportAsTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

const tags = ['contradictions'];

export function mountContradictions(app: App, deps: Deps): void {
  const { db, scopesPerTenant, convergence } = deps;

  app.post(
    '/contradictions',
    {
      // A hundred ids of 200 characters, each of which may be twelve bytes as an escape.
      bodyLimit: 512 * 1024,
      // And as many values, beside its other fields.
      config: {
        errors: ['unauthorized', 'conflict', 'too_many_requests'],
        headers: { 201: ['Location'] },
        bodyValues: 200,
        audits: 'nothing',
      },
      onRequest: reportAsTenant(deps),
      schema: {
        operationId: 'reportContradiction',
        summary: 'Report that two claims contradict each other',
        description:
          'The same pair again, in either order, is the record that exists. The answer is that record with a tenant key ' +
          'that may read; else what was sent, with the id and the date of the record.',
        tags,
        headers: TenantIdHeader,
        body: CreateContradictionBody,
        response: { 200: Contradiction, 201: Contradiction },
      },
    },
    async (request, reply) => {
      const { created, contradiction } = await reportContradiction(db, tenantOf(request), request.body, {
        access: accessOf(request),
        scopesPerTenant,
      });
      if (created) reply.code(201).header('location', `/api/contradictions/${contradiction.id}`);
      return reply.send(contradiction);
    },
  );

  app.get(
    '/contradictions',
    {
      config: { errors: ['unauthorized', 'not_found', 'too_many_requests'], forOperators: 'reads' },
      onRequest: readAsTenant(deps),
      schema: {
        operationId: 'listContradictions',
        summary: 'List the contradictions of a scope',
        description:
          'Detected and reported ones, of every status unless one is asked for. What was left out for the sake of ' +
          'others is counted in `left_out`.',
        tags,
        headers: TenantKeyHeader,
        querystring: ContradictionQuery,
        response: { 200: ContradictionList },
      },
    },
    (request) => listContradictions(db, tenantOf(request), request.query.scope_id, request.query),
  );

  const schema = { tags, headers: TenantKeyHeader, params: OwnContradictionPath, response: { 200: Contradiction } };

  app.get(
    '/contradictions/:contradictionId',
    {
      config: { errors: ['unauthorized', 'not_found', 'too_many_requests'], checksScopes: true },
      onRequest: readAsTenant(deps),
      schema: {
        ...schema,
        operationId: 'getContradiction',
        summary: 'Read one contradiction',
        description:
          'Both claims with their evidence, and how it was decided. One of another tenant is 404, as one that does not exist.',
      },
    },
    (request) => getContradiction(db, tenantOf(request), request.params.contradictionId, accessOf(request)),
  );

  app.patch(
    '/contradictions/:contradictionId',
    {
      config: {
        errors: ['unauthorized', 'not_found', 'conflict', 'too_many_requests'],
        checksScopes: true,
        audits: 'contradiction.decided',
      },
      onRequest: changeAsTenant(deps, 'decide'),
      schema: {
        ...schema,
        operationId: 'decideOwnContradiction',
        summary: 'Resolve or defer an open contradiction',
        description: 'It stays decided until new evidence speaks against it. One that is decided already is 409.',
        body: DecideContradictionRequest,
      },
    },
    (request) => {
      const { contradictionId } = request.params;
      const [how, deed] = [{ access: accessOf(request), convergence }, deedOf(request)];
      return decideOwnContradiction(db, tenantOf(request), contradictionId, request.body, how, deed);
    },
  );
}
