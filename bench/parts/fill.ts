/** Documents put into a database by SQL, as if they had been accepted before, one every few milliseconds. */
import type { Content } from './documents.ts';
import { amount, say } from './report.ts';
import { withClient } from './stores.ts';

export interface Backlog {
  /** By scope, how many documents it has. */
  scopes: { tenant_id: string; scope_id: string; documents: number }[];
  /** Used in turn. */
  contents: Content[];
}

/** So many documents in `scope-0` and on of each tenant, all scopes alike. */
export function evenly(tenants: string[], scopesEach: number, documents: number): Backlog['scopes'] {
  const scopes = tenants.length * scopesEach;
  return Array.from({ length: scopes }, (_, n) => ({
    tenant_id: tenants[n % tenants.length] as string,
    scope_id: `scope-${Math.floor(n / tenants.length)}`,
    documents: Math.floor(documents / scopes) + (n < documents % scopes ? 1 : 0),
  }));
}

export async function fill(url: string, { scopes, contents }: Backlog): Promise<void> {
  const stored = scopes.reduce((sum, { documents }) => sum + documents, 0);
  say(`storing ${amount(stored)} documents in ${amount(scopes.length)} scopes`);
  await withClient(url, async (client) => {
    await client.query(
      `create temp table contents as
         select ordinality - 1 as at, name, type, text
           from rows from (json_to_recordset($1) as (name text, type text, text text)) with ordinality`,
      [JSON.stringify(contents)],
    );
    await client.query(
      `insert into scopes (tenant_id, scope_id, name, next_seq, queued, created_at)
       select tenant_id, scope_id, scope_id, documents, documents, now() - interval '1 day'
         from json_to_recordset($1) as wanted (tenant_id text, scope_id text, documents bigint)`,
      [JSON.stringify(scopes)],
    );
    await client.query(
      `create temp table filled as
         select scope_key, tenant_id, scope_id, seq, row_number() over (order by seq, scope_key) as n
           from scopes cross join generate_series(0, queued - 1) seq;
       analyze contents, filled;
       insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, accepted_at, queued_at)
         select scope_key, 1, seq, 'doc_0' || lpad(n::text, 20, '0'), 1, 'queued', sha256(n::text::bytea), at, at
           from filled cross join lateral (select now() - (${stored} - n) * interval '10 ms' as at) accepted order by n;
       insert into document_contents (scope_key, generation, seq, name, type, text)
         select scope_key, 1, seq, name, type, text
           from filled join contents on at = n % ${contents.length} order by n;
       insert into events (type, tenant_id, scope_id, payload)
         select 'document.queued', tenant_id, scope_id, json_build_object('document_id', n, 'version', 1, 'seq', seq)
           from filled order by n;
       select awaken_lanes(array_agg(scope_key)) from scopes where queued > 0`,
    );
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  });
}
