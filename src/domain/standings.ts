/** What tenants have is counted by changes that are only added; they are folded together in the background. */
import type { Database } from '../storage/database.ts';
import { foldTenantChanges } from '../storage/tenants.ts';

/** A few milliseconds, in which the rows of the tenants are locked. */
const PIECE = 5000;

/** So often it is looked past tenants whose rows somebody holds: nobody's counters wait for theirs. */
const LOOKS = 10;

/** One piece; true when there may be more. */
export function foldStandings(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const passedOver: string[] = [];
    for (let look = 0; look < LOOKS; look++) {
      const { seen, folded, held } = await foldTenantChanges(tx, PIECE, passedOver);
      if (folded > 0 || held.length === 0) return folded > 0 && seen === PIECE;
      passedOver.push(...held);
    }
    return false;
  });
}
