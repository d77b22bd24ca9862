/** What a document costs does not grow with what is stored: counted in rows that Postgres reads, so that no clock is asked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import { withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Not the events: whoever tails them reads all that is new, and while there are few it is cheapest to read them all. */
const GROWING = [
  'documents',
  'document_contents',
  'idempotency_keys',
  'readings',
  'claim_keys',
  'claim_groups',
  'claim_values',
  'contradictions',
];
const PART = 400;
const PARTS = 6;
/** Some 35 were seen; a single statement that reads all documents comes to hundreds. */
const MAX_ROWS = 100;
/** Sessions say what they have read about once a second, and when they have nothing to do. */
const SAID_AFTER_MS = 1500;

async function rowsRead(db: Database): Promise<number> {
  await sleep(SAID_AFTER_MS);
  const { rows } = await db.query<{ n: number }>(
    `select (select sum(seq_tup_read) from pg_stat_user_tables where relname = any ($1))::float8
          + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = any ($1))::float8 as n`,
    [GROWING],
  );
  return rows[0]?.n ?? 0;
}

const firm = (n: number) => `Zor${[...`${n}`].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

// What the service looks at each second counts too, and on a starved machine there are many seconds: a statement that reads
// too much does so each time.
it('reads a few rows for a document, with tables that were not analyzed since they were empty', {
  retry: 2,
}, async () => {
  const service = withVerbs(await startTestService({ settings: { ROLE: 'all', WORKERS: '2' } }));
  const { db } = service;
  // As in a service's first minutes.
  const { rows: tables } = await db.query<{ name: string }>(
    "select relname as name from pg_stat_user_tables where schemaname = 'public'",
  );
  for (const { name } of tables) await db.query(`alter table "${name}" set (autovacuum_enabled = false)`);
  const tenant = await service.newTenant();
  const before = await rowsRead(db);
  for (let part = 0; part < PARTS; part++) {
    const send = (n: number) =>
      service.ingest(tenant, 'firms', `${firm(n >> 1)} has ${1000 + 500 * (n % 3)} employees.`, {
        document_id: `paper ${n}`,
        idempotency_key: `key ${n}`,
      });
    const numbers = Array.from({ length: PART }, (_, n) => part * PART + n);
    await Promise.all(numbers.map(send));
    // Sent again: what a key stands for is looked up too.
    await Promise.all(numbers.map(send));
    // Not by asking the service, which reads for its answer, the more often the longer it takes.
    await until(
      async () => (await db.query<{ n: number }>('select processed::int as n from scopes')).rows[0]?.n,
      (n) => n === (part + 1) * PART,
    );
  }
  expect(((await rowsRead(db)) - before) / (PARTS * PART)).toBeLessThan(MAX_ROWS);
});
