/** What tenants have is counted by changes that are only added; they are folded together in the background. */
import type { Database } from '../storage/database.ts';
import { foldTenantChanges } from '../storage/tenants.ts';

/** A few milliseconds, in which the rows of the tenants are locked. */
const PIECE = 5000;

/** One piece; true when there may be more. */
export async function foldStandings(db: Database): Promise<boolean> {
  return (await db.transaction((tx) => foldTenantChanges(tx, PIECE))) === PIECE;
}
