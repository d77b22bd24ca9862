/** What is paused or stopped: GET /admin/runtime. Pausing and the like is `runtime-routes.ts`. */
import { HeldLevels, HeldLevelsQuery } from '../../contract/runtime.ts';
import { listHeldLevels } from '../../domain/held-levels.ts';
import { takeTurnOfOperators } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

export function mountRuntimeLevels(app: App, { db, reads }: Deps): void {
  app.get(
    '/runtime',
    {
      preHandler: takeTurnOfOperators(reads),
      schema: {
        operationId: 'listHeldLevels',
        summary: 'List what is paused or stopped, by whom and why, and what it holds back',
        description:
          'The whole runtime, tenants and scopes, each before what is in it; with `tenant_id` that tenant alone.',
        tags: ['runtime'],
        querystring: HeldLevelsQuery,
        response: { 200: HeldLevels },
      },
    },
    (request) => listHeldLevels(db, request.query),
  );
}
