/** The audit log: noting what somebody did, in the transaction that does it; and reading it. */
import { type AuditAction, type AuditEntry, type AuditFilter, auditActions } from '../contract/audit.ts';
import { invalid } from '../errors.ts';
import * as storage from '../storage/audit-log.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { type Actor, COMMAND_LINE, nameOfActor, SERVICE } from './actor.ts';
import { maskKeys } from './key-format.ts';
import { momentOf } from './moments.ts';
import { decodeCursor, encodeCursor, type Page } from './paging.ts';

/** Whose doing a change is. Whatever changes something for somebody asks for it, and notes it with `noteDeeds`. */
export interface Deed {
  actor: Actor;
  /** Null where there was no request. */
  address: string | null;
  requestId: string | null;
}

export const BY_COMMAND_LINE: Deed = { actor: COMMAND_LINE, address: null, requestId: null };
export const BY_SERVICE: Deed = { actor: SERVICE, address: null, requestId: null };

export interface Noted {
  action: AuditAction;
  tenant_id?: string | null;
  scope_id?: string | null;
  /** The document, contradiction or key that it is about. */
  subject?: string;
  /** What was changed: a few fields, never a text of a tenant. A key in what people have written there is masked. */
  before?: object;
  after?: object;
}

/** To be called just before the events are appended: it holds a lock of the log from here to the commit. */
export async function noteDeeds(tx: Queryable, { actor, address, requestId }: Deed, ...done: Noted[]): Promise<void> {
  const label = actor.label && maskKeys(actor.label);
  const source = { actor_kind: actor.kind, actor: nameOfActor(actor), label, address };
  const rows = done.map(
    ({ action, tenant_id = null, scope_id = null, subject = null, before = null, after = null }) => {
      const of = { tenant_id, scope_id, subject: subject && maskKeys(subject) };
      return { action, ...of, before: masked(before), after: masked(after) };
    },
  );
  // Callers choose the ids of their documents and requests, too.
  await storage.insertAuditRows(tx, { ...source, request_id: requestId && maskKeys(requestId) }, rows);
}

/** Names, labels and reasons may have anything in them, however deep they are. JSON writes the characters of keys as they are. */
const masked = (fields: object | null): object | null => fields && JSON.parse(maskKeys(JSON.stringify(fields)));

/** Rows that one page looks at: a few milliseconds for Postgres, however rare is what is asked for. */
const LOOK = 5000;

/** The newest first. A page may be short or empty before the last one, since it looks at so many rows only. */
export async function listAudit(db: Queryable, { cursor, limit, ...filter }: Page & AuditFilter) {
  const search = toSearch(filter);
  const after = placeOf(decodeCursor('audit', cursor, /^\d{1,14} \d{1,18}$/, ''));
  const { rows, edge, looked } = await storage.listAuditAcrossTenants(db, {
    ...search,
    high: after && after.at < search.high.at ? after : search.high,
    isNewestFirst: true,
    look: LOOK,
    most: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : looked === LOOK ? edge : null;
  const next_cursor = last ? encodeCursor('audit', `${Date.parse(last.at)} ${last.audit_id}`) : null;
  return { entries: items.map(toEntry), next_cursor };
}

/** A place as cursors have it: milliseconds since 1970, and the id. */
function placeOf(text: string): storage.AuditPlace | null {
  const [ms, audit_id] = text.split(' ');
  return audit_id === undefined ? null : { at: new Date(Number(ms)).toISOString(), audit_id };
}

/** Rows of an export that are read at once, by a statement of their own. */
const PIECE = 1000;

/** All that fits and was there when it began, the oldest first, in pieces; nothing is held between two of them. */
export async function* exportAudit(db: Queryable, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
  const search = toSearch(filter);
  const everybody = { ...search, tenant_id: null, actor: null, action: null };
  const newest = await storage.listAuditAcrossTenants(db, { ...everybody, isNewestFirst: true, look: 1, most: 1 });
  if (!newest.edge) return;
  const high = nextTo(newest.edge);
  for (let low = search.low; ; ) {
    const { rows, edge, looked } = await storage.listAuditAcrossTenants(db, {
      ...{ ...search, low, high },
      ...{ isNewestFirst: false, look: PIECE, most: PIECE },
    });
    yield rows.map(toEntry);
    if (!edge || looked < PIECE) return;
    low = nextTo(edge);
  }
}

const nextTo = ({ at, audit_id }: storage.AuditPlace) => ({ at, audit_id: String(BigInt(audit_id) + 1n) });

function toSearch({ tenant_id, actor, action, from, to }: AuditFilter) {
  if (action !== undefined && !(auditActions as readonly string[]).includes(action))
    throw invalid('query/action', `must be one of ${auditActions.join(', ')}`);
  const [low, high] = [begin('from', from) ?? storage.FIRST_PLACE, begin('to', to) ?? storage.LAST_PLACE];
  return { tenant_id: tenant_id ?? null, actor: actor ?? null, action: action ?? null, low, high };
}

/** The first place of a moment. Dates have years of four digits, in any time zone, and nothing is older than computers. */
function begin(name: string, moment: string | undefined): storage.AuditPlace | null {
  if (moment === undefined) return null;
  const date = new Date(momentOf(moment));
  if (Number.isNaN(date.getTime())) throw invalid(`query/${name}`, 'must be a date');
  if (date.getTime() < 0) return storage.FIRST_PLACE;
  return date.getUTCFullYear() > 9999 ? storage.LAST_PLACE : { at: date.toISOString(), audit_id: '0' };
}

function toEntry({ actor_kind: kind, actor, label, ...row }: storage.AuditRow): AuditEntry {
  const { audit_id, at, action, tenant_id, scope_id, subject, address, request_id } = row;
  const key_prefix = kind === 'operator' || kind === 'tenant' ? actor : null;
  return {
    ...{ audit_id, at, action, actor: { kind, key_prefix, label }, tenant_id, scope_id, subject },
    ...{ before: row.before, after: row.after, address, request_id },
  };
}

/** A short lock at a time. */
const TRIMMED_AT_ONCE = 1000;

/** One piece; true when there may be more. */
export async function trimAudit(db: Database, keepDays: number): Promise<boolean> {
  const gone = await db.transaction((tx) => storage.deleteOldAuditRows(tx, keepDays, TRIMMED_AT_ONCE));
  return gone === TRIMMED_AT_ONCE;
}
