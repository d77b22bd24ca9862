/** Locks a table, so that whoever looks into it waits; gives the way to let it go. */
import type { Database } from '../../src/storage/database.ts';

export async function lockTable(db: Database, table: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`);
    locked.resolve();
    await held.promise;
  });
  await Promise.race([locked.promise, holding]);
  return () => {
    held.resolve();
    return holding;
  };
}
