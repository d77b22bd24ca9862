/** Who knocks, and what belongs to whom: a tenant that acts, one that is to be left alone, and keys of every level. */
import { randomBytes } from 'node:crypto';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { factIdOf } from '../../../src/domain/derived-ids.ts';
import { mintKey } from '../../../src/domain/key-format.ts';
import { issueKey } from '../../../src/domain/keys.ts';
import { RULES } from '../../../src/pipeline/claim.ts';
import { pipeline } from '../../../src/runtime/pipeline.ts';
import type { Database } from '../../../src/storage/database.ts';
import type { TestService } from '../../support/service.ts';

/** What a request may name. */
export interface Ids {
  tenantId: string;
  scopeId: string;
  documentId: string;
  contradictionId: string;
  factId: string;
  keyPrefix: string;
  idempotencyKey: string;
}

export interface Party {
  ids: Ids;
  key: string;
}

/** In every text of the tenant that is to be left alone. */
export const MARK = 'theirs-alone';

/** All ids of a kind are equally long, so that two answers can be compared byte by byte. */
const random = (length: number) => [...randomBytes(length)].map((byte) => 'abcdefghjkmnpqrstvwxyz'[byte % 22]).join('');

export function absentIds(): Ids {
  return {
    tenantId: `ten_${random(26)}`,
    scopeId: `scope-${random(8)}`,
    documentId: `doc-${random(8)}`,
    contradictionId: `con_${random(26)}`,
    factId: `fact_${random(11)}`,
    keyPrefix: mintKey('tenant').keyPrefix,
    idempotencyKey: `once-${random(8)}`,
  };
}

/** A tenant with a scope, a document, a contradiction, an idempotency key and two keys of its own. */
export async function newParty(service: TestService, mark: string): Promise<Party> {
  const { tenantId, key } = await service.newTenant(mark);
  const ids = await addScope(service, tenantId, mark);
  const { record } = await issueKey(service.db, 'tenant', { tenantId, label: mark }, BY_COMMAND_LINE);
  return { key, ids: { ...ids, keyPrefix: record.key_prefix } };
}

/** A scope of a tenant, and what it holds. */
export async function addScope({ call, db }: TestService, tenantId: string, mark: string): Promise<Ids> {
  const ids = { ...absentIds(), tenantId };
  const name = mark;
  const document = { scope_id: ids.scopeId, document_id: ids.documentId, idempotency_key: ids.idempotencyKey };
  await call('POST', '/api/ingest', { tenantId, body: { ...document, name, text: mark, source: mark } });
  const claims = { claim_a: `${mark} is 3`, claim_b: `${mark} is 4`, source_a: mark };
  const report = await call('POST', '/api/contradictions', { tenantId, body: { scope_id: ids.scopeId, ...claims } });
  const factId = await insertFact(db, ids, `${mark} has 3 parts.`);
  return { ...ids, contradictionId: report.body.id, factId };
}

/** As if its document had been processed, and had said this: here nothing is. */
async function insertFact(db: Database, { tenantId, scopeId, documentId }: Ids, text: string): Promise<string> {
  const { claims, keys, groups, values } = pipeline.read({ name: 'n', type: 'txt', text }).reading;
  await db.query(
    `insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values, rules)
     select scope_key, generation, 0, $3, 0, $4, $5, $6, $7, $8 from scopes where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId, documentId, claims, keys, groups, values, RULES],
  );
  return factIdOf(groups[0] as number);
}

export type Level = 'none' | 'garbage' | 'unknown' | 'tenant' | 'other tenant' | 'admin' | 'internals' | DeadLevel;
type DeadLevel = `${'revoked' | 'expired'} ${'tenant' | 'admin' | 'internals'}`;

/** A key of every level there is; undefined for none. */
export async function keysOfAllLevels(service: TestService, own: Party, other: Party) {
  const { db, admin, internals } = service;
  const keys: Record<Level, string | undefined> = {
    none: undefined,
    garbage: 'garbage',
    unknown: mintKey('internals').key,
    tenant: own.key,
    'other tenant': other.key,
    admin,
    internals,
    'revoked tenant': await deadKey(db, 'tenant', 'revoked_at', own.ids.tenantId),
    'expired tenant': await deadKey(db, 'tenant', 'expires_at', own.ids.tenantId),
    'revoked admin': await deadKey(db, 'admin', 'revoked_at'),
    'expired admin': await deadKey(db, 'admin', 'expires_at'),
    'revoked internals': await deadKey(db, 'internals', 'revoked_at'),
    'expired internals': await deadKey(db, 'internals', 'expires_at'),
  };
  return keys;
}

/** Before it is ever used: what the service remembers of a key is another matter, which test/domain/keyring looks at. */
async function deadKey(db: Database, tier: 'tenant' | 'admin' | 'internals', since: string, tenantId?: string) {
  const { key, record } = await issueKey(db, tier, tenantId ? { tenantId } : {}, BY_COMMAND_LINE);
  await db.query(`update api_keys set ${since} = now() - interval '1 minute' where key_prefix = $1`, [
    record.key_prefix,
  ]);
  return key;
}

/** All that the database has of a tenant, but for when its keys were used, and for counters that are folded in later. */
export async function tracesOf(db: Database, tenantId: string): Promise<string[]> {
  const own = 'scope_key in (select scope_key from scopes where tenant_id = $1)';
  const parts = [
    `select to_jsonb(t) - 'scopes' - 'backlog' as row from tenants t where tenant_id = $1`,
    `select to_jsonb(t) - 'last_used_at' as row from api_keys t where tenant_id = $1`,
    'select to_jsonb(t) as row from scopes t where tenant_id = $1',
    'select to_jsonb(t) as row from events t where tenant_id = $1',
    'select to_jsonb(t) as row from audit_log t where tenant_id = $1',
    'select to_jsonb(t) as row from idempotency_keys t where tenant_id = $1',
    ...['documents', 'document_contents', 'contradictions', 'readings'].map(
      (table) => `select to_jsonb(t) as row from ${table} t where ${own}`,
    ),
  ];
  const { rows } = await db.query<{ row: object }>(parts.join(' union all '), [tenantId]);
  return rows.map(({ row }) => JSON.stringify(row)).sort();
}
