/** Who follows the events of a tenant: whoever has its key, or a page with a token that was made with it. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { requirePermission } from '../domain/access.ts';
import type { Keyring } from '../domain/keyring.ts';
import { AppError, invalid } from '../errors.ts';
import { asking } from './access.ts';
import { actForTenant, tenantOf } from './auth.ts';
import type { Deps } from './deps.ts';

/** Counted as a read when it is opened, and holding nobody's turn while it is open. */
export function followAsTenant({ keyring, admission }: Deps): onRequestAsyncHookHandler {
  const actByKey = actForTenant(keyring, 'read');
  return asking('read', async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const { token } = request.query as { token?: unknown };
    if (token === undefined) await actByKey.call(this, request, reply);
    else await actByToken(request, keyring, token);
    await admission.admitRead(tenantOf(request));
  });
}

async function actByToken(request: FastifyRequest, keyring: Keyring, token: unknown): Promise<void> {
  if (request.headers['x-tenant-api-key'] !== undefined)
    throw invalid('query/token', 'must not come beside a key; send X-Tenant-API-Key or a token');
  const found = typeof token === 'string' ? await keyring.identifyToken(token) : null;
  const claimed = request.headers['x-tenant-id'];
  if (!found || (claimed !== undefined && claimed !== found.tenantId))
    throw new AppError(
      'unauthorized',
      'The token is not valid, or no longer; get another with POST /api/stream-tokens.',
    );
  requirePermission(found.access, 'read');
  request.tenantId = found.tenantId;
  request.access = found.access;
  request.tokenEnds = found.expiresAt;
}
