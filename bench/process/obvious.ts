/** What one would write first: a table of documents, and a BullMQ job for each of them. */
import { startChild } from '../parts/child.ts';
import type { Content } from '../parts/documents.ts';
import { query } from '../parts/stores.ts';
import type { Work } from './jobs.ts';

/** Tried from 1 to 64: from here on more at once bring nothing, on either backend. */
const CONCURRENCY = 16;

export async function fillObvious(url: string, contents: Content[], documents: number): Promise<void> {
  await query(
    url,
    `create table obvious (id bigint primary key, tenant_id text, scope_id text, document_id text, name text, type text,
       text text, state text, accepted_at timestamptz default now(), finished_at timestamptz)`,
  );
  await query(
    url,
    `create table obvious_claims (id bigint primary key, claims text not null, count int not null, keys bigint[] not null,
       groups bigint[] not null, group_values bigint[] not null)`,
  );
  await query(
    url,
    `insert into obvious (id, tenant_id, scope_id, document_id, name, type, text, state)
     select n, 'tenant', 'scope-' || n % 100, 'doc_' || n, content->>'name', content->>'type', content->>'text', 'queued'
       from generate_series(1, ${documents}) n
       join (select ordinality - 1 as at, value as content from json_array_elements($1) with ordinality) c
         on at = n % ${contents.length} order by n`,
    [JSON.stringify(contents)],
  );
}

export const startJobs = (databaseUrl: string, redisUrl: string, work: Work) =>
  startChild(new URL('jobs.ts', import.meta.url), { args: [databaseUrl, redisUrl, work, `${CONCURRENCY}`] });
