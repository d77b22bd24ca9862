/** The first operator keys: made once, when there are none, so that a newcomer can begin. */
import { appendEvents } from '../events/log.ts';
import type { Database } from '../storage/database.ts';
import { BY_SERVICE, noteDeeds } from './audit.ts';
import { insertNewKey, issuedKey, keyEvent, listOperatorKeys } from './keys.ts';

export interface FirstKeys {
  admin: string;
  internals: string;
}

/** Null when operator keys exist already, revoked ones included: then it is not the first start. */
export function makeFirstKeys(db: Database): Promise<FirstKeys | null> {
  return db.transaction(async (tx) => {
    if ((await listOperatorKeys(tx)).length > 0) return null;
    const admin = await insertNewKey(tx, 'admin', { label: 'first start' });
    const internals = await insertNewKey(tx, 'internals', { label: 'first start' });
    await noteDeeds(tx, BY_SERVICE, issuedKey(admin.record), issuedKey(internals.record));
    await appendEvents(tx, [keyEvent('key.issued', admin.record), keyEvent('key.issued', internals.record)]);
    return { admin: admin.key, internals: internals.key };
  });
}
