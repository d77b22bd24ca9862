/** The keys that came with a request, for those that last: what was good at first may be revoked before the end. */
import type { FastifyRequest } from 'fastify';
import type { Keyring } from '../domain/keyring.ts';
import { AppError } from '../errors.ts';

/** Those that were checked when it came, as they were read then. */
export function keysOf({ operatorKey, access, headers }: FastifyRequest): string[] {
  const tenantKey = access?.keyPrefix != null ? headers['x-tenant-api-key'] : null;
  return [operatorKey, tenantKey].filter((key) => typeof key === 'string');
}

/** For who has waited: a key that was revoked meanwhile is shown nothing. */
export async function checkKeysAgain(request: FastifyRequest, keyring: Keyring): Promise<void> {
  for (const key of keysOf(request))
    if (!(await keyring.identify(key)))
      throw new AppError('unauthorized', 'The key of this request is no longer valid.');
}
