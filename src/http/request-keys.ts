/** The keys that came with a request, for those that last: what was good at first may be revoked before the end. */
import type { FastifyRequest } from 'fastify';
import type { Keyring } from '../domain/keyring.ts';
import { AppError } from '../errors.ts';

/** Of those that were checked when it came. A bootstrap key has none, and lasts as long as the process. */
export function keyPrefixesOf({ operator, access }: FastifyRequest): string[] {
  return [operator?.keyPrefix, access?.keyPrefix].filter((prefix) => typeof prefix === 'string');
}

export const keyEnded = () => new AppError('unauthorized', 'The key of this request is no longer valid.');

/** For who has waited: a key that was revoked meanwhile is shown nothing. */
export async function checkKeysAgain(request: FastifyRequest, keyring: Keyring): Promise<void> {
  for (const prefix of keyPrefixesOf(request)) if (!(await keyring.isLive(prefix))) throw keyEnded();
}
