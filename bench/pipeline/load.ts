/**
 * Documents that are waiting in a database, read by the pipeline and stored in bulk as if they had been processed one batch
 * after the other; only that they were not compared with each other.
 */
import { availableParallelism } from 'node:os';
import { RULES } from '../../src/pipeline/claim.ts';
import type { Reading } from '../../src/runtime/thread.ts';
import { Threads } from '../../src/runtime/threads.ts';
import { amount, say } from '../parts/report.ts';
import { withClient } from '../parts/stores.ts';

const CHUNK = 500;
const module = new URL('../../src/runtime/pipeline-thread.ts', import.meta.url);

interface Waiting {
  seq: number;
  name: string;
  type: string;
  text: string;
}

/** The first so many of the only scope there is. */
export async function load(url: string, documents: number): Promise<void> {
  const threads = new Threads({ threads: availableParallelism(), module, documentTimeoutMs: 60_000, memoryMb: 256 });
  threads.start();
  await withClient(url, async (client) => {
    let reading = read(client, threads, 0);
    for (let from = 0; from < documents; from += CHUNK) {
      const readings = await reading;
      // While these are stored, the next ones are read.
      reading = read(client, threads, from + CHUNK);
      await client.query(KEEP, [JSON.stringify(readings)]);
      if (from > 0 && from % 20_000 === 0) say(`${amount(from)} of ${amount(documents)} stored as processed`);
    }
    await reading;
    for (const sql of FINISH) await client.query(sql, sql.includes('$1') ? [documents] : []);
  });
  await threads.stop();
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

async function read(client: Client, threads: Threads, from: number): Promise<(Reading & { seq: number })[]> {
  const { rows } = await client.query<Waiting>(
    `select seq::float8 as seq, name, type, text from document_contents where seq >= $1 and seq < $2 order by seq`,
    [from, from + CHUNK],
  );
  const half = Math.ceil(rows.length / 2);
  const watcher = { signal: new AbortController().signal, onProgress: () => {} };
  const parts = await Promise.all(
    [rows.slice(0, half), rows.slice(half)].map((part) => threads.read('bench', part, watcher)),
  );
  return parts
    .flatMap(({ results }) => results)
    .map((result, n) => {
      if (!result || 'error' in result) throw new Error('a document was not read');
      return { seq: rows[n]?.seq as number, ...result.outcome };
    });
}

/** The hash is the first 52 bits of the id's. */
const KEEP = `
  with said as materialized (
    select * from json_to_recordset($1) as r (seq bigint, claims text, count int, keys bigint[], groups bigint[], values bigint[])
  ), kept as (
    insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values,
                          rules)
    select scope_key, generation, seq, document_id,
           ('x' || left(encode(sha256(document_id::bytea), 'hex'), 13))::bit(52)::bigint, r.claims, keys, groups, values,
           ${RULES}
      from said r join documents using (seq)
  )
  update documents d set claims = r.count, state = 'processed', attempts = 1, started_at = now(), finished_at = now()
    from said r where d.seq = r.seq`;

const FINISH = [
  `set work_mem = '256MB'`,
  `insert into claim_keys (scope_key, generation, key, document_hash, seq)
   select scope_key, generation, key, document_hash, seq from readings cross join unnest(keys) as its (key) order by 3, 4, 5`,
  `insert into claim_values (scope_key, generation, group_key, value_key, documents)
   select scope_key, generation, group_key, value_key, count(distinct seq)
     from readings cross join unnest(groups, group_values) as said (group_key, value_key) group by 1, 2, 3, 4`,
  `insert into claim_groups (scope_key, generation, group_key, documents, leader)
   select scope_key, generation, group_key, documents, leader
     from (select scope_key, generation, group_key, count(distinct seq) as documents
             from readings cross join unnest(groups) as said (group_key) group by 1, 2, 3) g
     join (select distinct on (group_key) group_key, value_key as leader
             from claim_values order by group_key, documents desc, value_key) l using (group_key)`,
  `update scopes set rules = ${RULES}, queued = queued - $1::bigint, processed = $1::bigint, queued_from = $1::bigint,
     claims = (select sum(claims) from documents), groups = (select count(*) from claim_groups),
     groups_shared = (select count(*) from claim_groups where documents > 1)`,
  'vacuum analyze',
  'checkpoint',
];
