/** What those look at who wait: many documents or scopes of a tenant in one statement. */
import type { Queryable } from './database.ts';
import { firstPurged } from './document-purges.ts';
import { contradictionsOfDocument, type DocumentRow, ROW } from './documents.ts';
import { NEWEST, type ScopeHandle } from './scopes.ts';
import { ofLiveTenant } from './tenants.ts';
import { lastUnfinished } from './unfinished.ts';

type Place = Pick<ScopeHandle, 'scope_key' | 'generation'>;

/** Each looked up by its whole key, one by one: free to join, Postgres could read all scopes of the tenant. */
const SCOPES = `cross join lateral (
    select * from scopes where tenant_id = $1 and scope_id = wanted.scope_id and ${ofLiveTenant('scopes')} ${NEWEST}) scopes`;

/** In the order of what was wanted; null where there is no such scope. */
function inOrder<Row extends { nth: number }>(rows: Row[], length: number): (Omit<Row, 'nth'> | null)[] {
  const found = new Map(rows.map(({ nth, ...row }) => [nth, row]));
  return Array.from({ length }, (_, n) => found.get(n + 1) ?? null);
}

export interface WantedDocument {
  scope_id: string;
  document_id: string;
  /** The newest, when it is null. */
  version: number | null;
}

export interface AwaitedDocument extends Place {
  /** Null when there is none, or only of lower versions. */
  document: (DocumentRow & { contradictions: number; contradictions_left_out: number }) | null;
}

const DOCUMENT = `select ${ROW}
   from (select d.* from documents d
          where d.scope_key = scopes.scope_key and d.generation = scopes.generation and d.document_id = wanted.document_id
            and d.version <= coalesce(wanted.version, 2147483647)
            and d.version < ${firstPurged('scopes.scope_key', 'scopes.generation', 'wanted.document_id')}
          order by d.version desc limit 1) d
  cross join lateral (
    select c.name, c.type, c.source, c.provenance from document_contents c
     where c.scope_key = d.scope_key and c.generation = d.generation and c.seq = d.seq limit 1) contents
   left join lateral (
    select l.claimed, l.claimed_at, l.ready_at from lanes l
     where l.scope_key = d.scope_key and l.generation = d.generation limit 1) lane on true`;

/** Each as its own request would have it, in the order of what was wanted; null where there is no such scope. */
export async function listAwaitedDocuments(
  db: Queryable,
  tenantId: string,
  wanted: WantedDocument[],
): Promise<(AwaitedDocument | null)[]> {
  type Row = Place & DocumentRow & { nth: number; open: number; left_out: number };
  const { rows } = await db.query<Row>(
    `select wanted.nth::float8 as nth, scopes.scope_key, scopes.generation, document.*, counted.*
       from unnest($2::text[], $3::text[], $4::int[]) with ordinality as wanted (scope_id, document_id, version, nth)
      ${SCOPES}
       left join lateral (${DOCUMENT}) document on true
      cross join lateral (${contradictionsOfDocument('scopes.scope_key', 'scopes.generation', 'document.seq::bigint')}) counted`,
    [
      tenantId,
      wanted.map(({ scope_id }) => scope_id),
      wanted.map(({ document_id }) => document_id),
      wanted.map(({ version }) => version),
    ],
  );
  return inOrder(rows, wanted.length).map((row, n) => {
    if (!row) return null;
    const { scope_key, generation, open, left_out, ...document } = row;
    const isThere = document.seq !== null && document.version === (wanted[n]?.version ?? document.version);
    const counted = { contradictions: open, contradictions_left_out: left_out };
    return { scope_key, generation, document: isThere ? { ...document, ...counted } : null };
  });
}

export interface WantedScope {
  scope_id: string;
  /** The newest seq that was given, when it is null. */
  through: number | null;
}

export interface AwaitedScope extends Place {
  through: number;
  next_seq: number;
  /** The last document up to there that is not done; null when all are. */
  seq: number | null;
  document_id: string | null;
}

/** In the order of what was wanted; null where there is no such scope. */
export async function listAwaitedScopes(
  db: Queryable,
  tenantId: string,
  wanted: WantedScope[],
): Promise<(AwaitedScope | null)[]> {
  const { rows } = await db.query<AwaitedScope & { nth: number }>(
    `select wanted.nth::float8 as nth, scopes.scope_key, scopes.generation, scopes.next_seq::float8 as next_seq,
            up_to.seq::float8 as through, last.seq, last.document_id
       from unnest($2::text[], $3::bigint[]) with ordinality as wanted (scope_id, through, nth)
      ${SCOPES}
      cross join lateral (select coalesce(wanted.through, scopes.next_seq - 1) as seq) up_to
       left join lateral (${lastUnfinished('up_to.seq')}) last on true`,
    [tenantId, wanted.map(({ scope_id }) => scope_id), wanted.map(({ through }) => through)],
  );
  return inOrder(rows, wanted.length);
}
