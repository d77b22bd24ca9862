/** The first operator keys: made once, when there are none, so that a newcomer can begin. */
import type { Database } from '../storage/database.ts';
import { issueKey, listOperatorKeys } from './keys.ts';

export interface FirstKeys {
  admin: string;
  internals: string;
}

/** Null when operator keys exist already, revoked ones included: then it is not the first start. */
export function makeFirstKeys(db: Database): Promise<FirstKeys | null> {
  return db.transaction(async (tx) => {
    if ((await listOperatorKeys(tx)).length > 0) return null;
    const admin = await issueKey(tx, 'admin', { label: 'first start' });
    const internals = await issueKey(tx, 'internals', { label: 'first start' });
    return { admin: admin.key, internals: internals.key };
  });
}
