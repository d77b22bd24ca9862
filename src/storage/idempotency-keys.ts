/** The idempotency_keys table: which document a key stands for, and for which request. */
import type { DocumentState } from '../contract/documents.ts';
import type { Queryable } from './database.ts';
import { firstPurged } from './document-purges.ts';
import type { StoredState } from './documents.ts';
import { NEWEST } from './scopes.ts';
import { ofLiveTenant } from './tenants.ts';

export interface BoundKey {
  tenant_id: string;
  idempotency_key: string;
  /** In base64. */
  fingerprint: string;
  scope_id: string;
  document_id: string;
  version: number;
  seq: number;
  name: string;
  type: string;
  state: StoredState | DocumentState;
}

export interface NewBinding {
  tenant_id: string;
  idempotency_key: string;
  fingerprint: string;
  scope_key: string;
  generation: number;
  seq: number;
}

type KeyName = Pick<NewBinding, 'tenant_id' | 'idempotency_key'>;

/** The keys that are taken. One whose document, scope or generation is gone counts as free. */
export async function listBoundKeysAcrossTenants(db: Queryable, keys: KeyName[]): Promise<BoundKey[]> {
  const { rows } = await db.query<BoundKey>(
    // One row after the other by its whole key: free to join, and with tables that were not looked at since they were
    // empty, Postgres would read all documents there are.
    `select wanted.tenant_id, wanted.idempotency_key, encode(fingerprint, 'base64') as fingerprint, scope_id, document_id,
            version, bound.seq::float8 as seq, content.name, type, document.state
       from json_to_recordset($1::json) as wanted (tenant_id text, idempotency_key text)
      cross join lateral (
        select * from idempotency_keys k
         where k.tenant_id = wanted.tenant_id and k.idempotency_key = wanted.idempotency_key limit 1) bound
      cross join lateral (
        select scope_id from scopes s
         where s.scope_key = bound.scope_key and s.tenant_id = bound.tenant_id and s.generation = bound.generation
           and ${ofLiveTenant('s')} ${NEWEST}) scope
      cross join lateral (
        select document_id, version, state from documents d
         where d.scope_key = bound.scope_key and d.generation = bound.generation
           and d.seq between bound.seq and bound.seq
           and d.version < ${firstPurged('d.scope_key', 'd.generation', 'd.document_id')} order by d.seq limit 1) document
      cross join lateral (
        select name, type from document_contents c
         where c.scope_key = bound.scope_key and c.generation = bound.generation and c.seq = bound.seq limit 1) content`,
    [JSON.stringify(keys)],
  );
  return rows;
}

/** Binds keys to documents. Returns how many: fewer than asked means that another process was first with one. */
export async function insertBindings(tx: Queryable, bindings: NewBinding[]): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into idempotency_keys as bound (tenant_id, idempotency_key, fingerprint, scope_key, generation, seq)
     select tenant_id, idempotency_key, decode(fingerprint, 'base64'), scope_key, generation, seq
       from json_to_recordset($1::json) as item
         (tenant_id text, idempotency_key text, fingerprint text, scope_key bigint, generation int, seq bigint)
      order by tenant_id, idempotency_key
     on conflict (tenant_id, idempotency_key) do update
        set fingerprint = excluded.fingerprint, scope_key = excluded.scope_key,
            generation = excluded.generation, seq = excluded.seq
      -- A key that outlived its document is free again. So would one seem that somebody bound while we waited for it, since this
      -- statement does not see his document; but it does not see his row either.
      where exists (select from idempotency_keys seen
                     where (seen.tenant_id, seen.idempotency_key, seen.scope_key, seen.generation, seen.seq)
                         = (bound.tenant_id, bound.idempotency_key, bound.scope_key, bound.generation, bound.seq))
        and not exists (select from scopes join documents using (scope_key, generation)
                         where scopes.tenant_id = bound.tenant_id and scopes.scope_key = bound.scope_key
                           and scopes.generation = bound.generation and documents.seq = bound.seq
                           and documents.version < ${firstPurged('scopes.scope_key', 'scopes.generation', 'documents.document_id')})`,
    [JSON.stringify(bindings)],
  );
  return rowCount ?? 0;
}
