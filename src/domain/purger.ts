/** Removes, in small pieces and in the background, what deleted and reset scopes have left behind. */
import type { Database } from '../storage/database.ts';
import { deleteLeftRows, deletePurge, findPurge } from '../storage/purges.ts';

const PIECE = 1000;

/** One piece; true when there may be more. */
export function purgeSome(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const purge = await findPurge(tx);
    if (!purge) return false;
    if (await deleteLeftRows(tx, purge, PIECE)) await deletePurge(tx, purge);
    return true;
  });
}
