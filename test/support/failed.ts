/** Has very many documents of a scope fail, by SQL alone, as if they had been posted and tried. */
import type { Queryable } from '../../src/storage/database.ts';

/** So many rows in one statement, which has a time limit. */
const PIECE = 20_000;

/** `error` and `at` are SQL, of each document by its number n. The scope has to be there. */
export async function addFailed(
  db: Queryable,
  { tenantId, scopeId }: { tenantId: string; scopeId: string },
  documents: number,
  { error = `'It failed.'`, at = 'now()', text = 'ok' }: { error?: string; at?: string; text?: string } = {},
): Promise<void> {
  for (let done = 0; done < documents; done += PIECE) {
    const more = Math.min(PIECE, documents - done);
    await db.query(
      `with numbered as (
         select scope_key, generation, next_seq + n - $3::int as seq, n
           from (select * from scopes where tenant_id = $1 and scope_id = $2) scope, generate_series($3::int, $3::int + $4::int - 1) n
       ), contents as (
         insert into document_contents (scope_key, generation, seq, name, type, text)
         select scope_key, generation, seq, 'n', 'txt', $5 from numbered
       ), documents as (
         insert into documents (scope_key, generation, seq, document_id, version, state, attempts, content_sha256, error, finished_at)
         select scope_key, generation, seq, 'f' || seq, 1, 'failed', 1, '', ${error}, ${at} from numbered
       )
       update scopes set next_seq = next_seq + $4, failed = failed + $4 where tenant_id = $1 and scope_id = $2`,
      [tenantId, scopeId, done, more, text],
    );
  }
}
