/** What every process does now and then beside its requests: it removes what was deleted or is too old, and folds counters. */
import { trimAudit } from './domain/audit.ts';
import type { Database } from './domain/database.ts';
import { trimEvents } from './domain/events.ts';
import { purgeSome } from './domain/purger.ts';
import { foldStandings } from './domain/standings.ts';
import { Periodic } from './periodic.ts';
import type { Config } from './settings.ts';

const PURGE_EVERY_MS = 1000;
const TRIM_EVERY_MS = 60_000;
/** Until then, each look at a tenant's standing adds up what has changed. */
const FOLD_EVERY_MS = 1000;

export function chores(db: Database, config: Config, onTrouble: (error: unknown, line: string) => void): Periodic[] {
  const keep = { hours: config.EVENTS_KEEP_HOURS, rows: config.EVENTS_KEEP_MOST };
  return [
    new Periodic({
      task: () => purgeSome(db),
      pauseMs: PURGE_EVERY_MS,
      onError: (error) => onTrouble(error, 'cannot purge what was deleted'),
    }),
    new Periodic({
      task: () => trimEvents(db, keep),
      pauseMs: TRIM_EVERY_MS,
      onError: (error) => onTrouble(error, 'cannot trim the event log'),
    }),
    new Periodic({
      task: () => trimAudit(db, config.AUDIT_KEEP_DAYS),
      pauseMs: TRIM_EVERY_MS,
      onError: (error) => onTrouble(error, 'cannot trim the audit log'),
    }),
    new Periodic({
      task: () => foldStandings(db),
      pauseMs: FOLD_EVERY_MS,
      onError: (error) => onTrouble(error, 'cannot fold the counters of tenants'),
    }),
  ];
}
