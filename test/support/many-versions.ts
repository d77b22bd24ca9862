/** Gives a document that was processed very many older versions, all superseded, as if it had been posted so often. */
import type { Queryable } from '../../src/storage/database.ts';

/** So many rows in one statement, which has a time limit. */
const PIECE = 20_000;

export async function addOlderVersions(
  db: Queryable,
  { tenantId, scopeId, documentId }: { tenantId: string; scopeId: string; documentId: string },
  versions: number,
): Promise<void> {
  const scope = `(select scope_key, generation, next_seq from scopes where tenant_id = $1 and scope_id = $2) scope`;
  await db.query(
    `update documents d set version = version + $4 from ${scope}
      where d.scope_key = scope.scope_key and d.generation = scope.generation and document_id = $3`,
    [tenantId, scopeId, documentId, versions],
  );
  for (let done = 0; done < versions; done += PIECE) {
    const more = Math.min(PIECE, versions - done);
    await db.query(
      `with numbered as (
         select scope_key, generation, next_seq + n as seq, $4::int + n + 1 as version from ${scope}, generate_series(0, $5::int - 1) n
       ), contents as (
         insert into document_contents (scope_key, generation, seq, name, type, text)
         select scope_key, generation, seq, 'n', 'txt', 'superseded ' || seq from numbered
       ), documents as (
         insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
         select scope_key, generation, seq, $3, version, 'superseded', '' from numbered
       )
       update scopes set next_seq = next_seq + $5, superseded = superseded + $5 where tenant_id = $1 and scope_id = $2`,
      [tenantId, scopeId, documentId, done, more],
    );
  }
}
