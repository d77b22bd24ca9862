/** POST /api/stream-tokens: a token for a page, which cannot send the key and should not have it. */
import { TenantKeyHeader } from '../../contract/common.ts';
import { StreamToken, StreamTokenRequest } from '../../contract/stream-tokens.ts';
import { issueStreamToken } from '../../domain/stream-tokens.ts';
import { readAsTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { bodyMayBeLeftOut } from '../json-body.ts';

export function mountStreamTokens(app: App, deps: Deps): void {
  app.post(
    '/stream-tokens',
    {
      // Without a scope, the token is for those of the key.
      config: {
        errors: ['unauthorized', 'not_found', 'too_many_requests'],
        checksScopes: true,
        audits: 'nothing',
      },
      onRequest: readAsTenant(deps),
      preValidation: bodyMayBeLeftOut,
      schema: {
        operationId: 'issueStreamToken',
        summary: 'Issue a token with which a page follows events',
        description:
          'For `?token=` on the streams under `/api`, where it stands for the key that made it, for one scope or for all that ' +
          'the key may read. It ends after `ttl_s` seconds, or with that key.',
        tags: ['events'],
        headers: TenantKeyHeader,
        body: StreamTokenRequest,
        response: { 201: StreamToken },
      },
    },
    async (request, reply) => {
      const { scope_id = null, ttl_s } = request.body;
      const key = request.headers['x-tenant-api-key'] as string;
      const wishes = { scopeId: scope_id, ttlS: ttl_s };
      return reply.code(201).send(await issueStreamToken(deps.db, tenantOf(request), key, wishes));
    },
  );
}
