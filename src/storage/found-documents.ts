/** Documents of all tenants, found by what became of them: where they are, so many at a time, and what is shown of them. */
import type { DocumentState } from '../contract/documents.ts';
import type { Queryable } from './database.ts';
import { firstPurged } from './document-purges.ts';
import { BYTES, type DocumentRow, ROW, STORED_AS } from './documents.ts';
import { type Listed, withinBytes } from './pages.ts';
import type { ScopeHandle } from './scopes.ts';
import { ofLiveTenant } from './tenants.ts';

export interface DocumentFilter {
  state: DocumentState | null;
  tenantId: string | null;
  /** Of that tenant. */
  scopeId: string | null;
  /** Of every scope that has one of this id; only its newest version. */
  documentId: string | null;
  /** How its error begins; empty for any. */
  error: string;
  /** Only what came to its state before then, in milliseconds since 1970. */
  before: number | null;
}

export interface ScopedSeq extends ScopeHandle {
  seq: number;
}

/** A document, and where a walk goes on after it. */
export interface FoundPlace extends ScopedSeq {
  place: string;
}

/** `reached`: where to go on; null when there is nothing more. There may be more though nothing was found so far. */
export interface Found {
  places: FoundPlace[];
  reached: string | null;
}

export interface Most {
  found: number;
  /** Rows that are read for it, whether or not they are what is looked for. */
  lookedAt: number;
}

/** Scopes of which a walk sees in their rows that there is nothing to look for in them. */
const MOST_SCOPES = 2000;
/** Above every character that an error may have. */
const LAST = '\u{10ffff}';

/** A moment of ours, and one of a place; null for none. */
const moment = (ms: string) => `to_timestamp(${ms}::float8 / 1000)`;
const momentOfPlace = (us: string) => `timestamptz 'epoch' + ${us}::bigint * interval '1 microsecond'`;

/** Those that have failed, the newest first; error by error where one is looked for. From below a place on, or from the first. */
export async function listFailedAcrossTenants(
  db: Queryable,
  { error, before }: Pick<DocumentFilter, 'error' | 'before'>,
  below: string | null,
  most: Most,
): Promise<Found> {
  const [at = null, scopeKey = '0', generation = '0', seq = '0', ...words] = below?.split(' ') ?? [];
  const { rows } = await db.query<{ found: Found }>(
    `select list_failed($1, coalesce(${moment('$2')}, 'infinity'), $3,
                        coalesce(${momentOfPlace('$4')}, ${moment('$2')}, 'infinity'), $5, $6, $7, $8, $9) as found`,
    [
      ...[error, before, below === null ? error + LAST : words.join(' ')],
      ...[at, scopeKey, generation, seq, most.found, most.lookedAt],
    ],
  );
  return (rows[0] as { found: Found }).found;
}

/** Those of any filter, in order of tenant, scope and seq. From after a place on, or from the first. */
export async function listInScopesAcrossTenants(
  db: Queryable,
  { state, tenantId, scopeId, error, before }: DocumentFilter,
  after: string | null,
  most: Most,
): Promise<Found> {
  const [fromTenant, fromScope, seq] = after?.split(' ') ?? [tenantId ?? '', scopeId ?? '', '-1'];
  const inWork = state === 'processing' ? true : state === 'queued' ? false : null;
  const { rows } = await db.query<{ found: Found }>(
    `select list_in_scopes($1, $2, $3, $4, $5, $6, $7, ${moment('$8')}, $9, $10, $11, $12) as found`,
    [
      ...[tenantId, scopeId, fromTenant, fromScope, seq, state && STORED_AS[state], inWork, before, error],
      ...[most.found, most.lookedAt, MOST_SCOPES],
    ],
  );
  return (rows[0] as { found: Found }).found;
}

/** Those of one id and of any state, in order of tenant and scope. From after a place on, or from the first. */
export async function listByDocumentIdAcrossTenants(
  db: Queryable,
  { documentId, tenantId, scopeId, error, before }: DocumentFilter,
  after: string | null,
  most: Pick<Most, 'found'>,
): Promise<Found> {
  const [fromTenant, fromScope, seq] = after?.split(' ') ?? [tenantId ?? '', scopeId ?? '', '-1'];
  const { rows } = await db.query<{ found: Found }>(
    `select list_by_document_id($1, $2, $3, $4, $5, $6, ${moment('$7')}, $8, $9, $10) as found`,
    [documentId, tenantId, scopeId, fromTenant, fromScope, seq, before, error, most.found, MOST_SCOPES],
  );
  return (rows[0] as { found: Found }).found;
}

export interface DocumentName {
  tenant_id: string;
  scope_id: string;
  document_id: string;
}

/** Of these documents the newest versions that have failed, and fit the filter. */
export async function listFailedByNameAcrossTenants(
  db: Queryable,
  names: DocumentName[],
  { tenantId, scopeId, error, before }: DocumentFilter,
): Promise<ScopedSeq[]> {
  const { rows } = await db.query<ScopedSeq>(
    `select distinct s.tenant_id, s.scope_id, s.scope_key, s.generation, newest.seq::float8 as seq
       from unnest($1::text[], $2::text[], $3::text[]) as wanted (tenant_id, scope_id, document_id)
       join scopes s using (tenant_id, scope_id)
      cross join lateral (
        select d.seq, d.state, d.error, d.finished_at from documents d
         where d.scope_key = s.scope_key and d.generation = s.generation and d.document_id = wanted.document_id
           and d.version < ${firstPurged('s.scope_key', 's.generation', 'wanted.document_id')}
         order by d.version desc limit 1) newest
      where newest.state = 'failed' and ${ofLiveTenant('s')} and ($4::text is null or s.tenant_id = $4)
        and ($5::text is null or s.scope_id = $5) and starts_with(coalesce(newest.error, ''), $6)
        and newest.finished_at < coalesce(${moment('$7')}, 'infinity')`,
    [
      names.map(({ tenant_id }) => tenant_id),
      names.map(({ scope_id }) => scope_id),
      names.map(({ document_id }) => document_id),
      ...[tenantId, scopeId, error, before],
    ],
  );
  return rows;
}

export interface FoundDocument extends DocumentRow, Listed {
  tenant_id: string;
  scope_id: string;
  /** Its place among those that were asked for. */
  nth: number;
}

/** What is shown of those that are still there, in their order; fewer where they are large. */
export async function listDocumentsAtAcrossTenants(db: Queryable, places: FoundPlace[]): Promise<FoundDocument[]> {
  // Each is looked up by itself: free to join, Postgres may read a whole table.
  const page = `select nth, tenant_id, scope_id, ${ROW} from (
       select wanted.nth::float8 as nth, wanted.tenant_id, wanted.scope_id, d.*, c.name, c.type, c.source, c.provenance,
              l.claimed, l.claimed_at, l.ready_at
         from unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::bigint[]) with ordinality
                as wanted (tenant_id, scope_id, scope_key, generation, seq, nth)
        cross join lateral (
          select * from documents d
           where d.scope_key = wanted.scope_key and d.generation = wanted.generation
             and d.seq between wanted.seq and wanted.seq order by d.seq limit 1) d
        cross join lateral (
          select * from document_contents c
           where c.scope_key = wanted.scope_key and c.generation = wanted.generation and c.seq = wanted.seq limit 1) c
         left join lateral (
          select * from lanes l where l.scope_key = wanted.scope_key and l.generation = wanted.generation limit 1) l on true
     ) documents`;
  const { rows } = await db.query<FoundDocument>(withinBytes(page, { select: '*', order: 'nth', bytes: BYTES }), [
    places.map(({ tenant_id }) => tenant_id),
    places.map(({ scope_id }) => scope_id),
    places.map(({ scope_key }) => scope_key),
    places.map(({ generation }) => generation),
    places.map(({ seq }) => seq),
  ]);
  return rows;
}
