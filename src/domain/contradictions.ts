/** Contradictions: reported by tenants, listed, and decided by operators or by the tenant itself. */
import { createHash } from 'node:crypto';
import type { ContradictionOrder, Severity } from '../contract/contradictions.ts';
import { AppError, notFound } from '../errors.ts';
import { appendEvents, type NewEvent } from '../events/log.ts';
import * as listing from '../storage/contradiction-lists.ts';
import * as storage from '../storage/contradictions.ts';
import { type Database, type Queryable, updateLockTimeout } from '../storage/database.ts';
import { updateScopeCounters } from '../storage/scopes.ts';
import { type Access, mayRead } from './access.ts';
import { type Deed, noteDeeds } from './audit.ts';
import type { Convergence } from './convergence.ts';
import { newContradictionId } from './ids.ts';
import { lockOrCreateScope } from './new-scopes.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { lockScope, requireScope } from './scopes.ts';

/**
 * Open ones of a scope: anyone with a tenant's id may report, and nothing takes a report back but a decision. So many are a
 * year's work at forty a day; in an hour, the usual limit of a tenant would let in eighteen times as many.
 */
const MAX_REPORTS = 10_000;

/** For a scope that somebody else has locked: few may decide or delete at once, and the others of them wait for this one. */
const LOCK_PATIENCE_MS = 2000;

export interface Report {
  scope_id: string;
  claim_a: string;
  claim_b: string;
  source_a?: string;
  source_b?: string;
  severity: Severity;
  document_ids?: string[];
}

/** The same pair again, in either order, is the record that exists; whoever may not read is shown only what it sent. */
export async function reportContradiction(
  db: Database,
  tenantId: string,
  report: Report,
  { access, scopesPerTenant }: { access: Access; scopesPerTenant: number },
) {
  const { created, contradiction } = await storeReport(db, tenantId, report, scopesPerTenant);
  const isShown = created || mayRead(access, report.scope_id);
  return { created, contradiction: isShown ? contradiction : asReported(report, contradiction) };
}

function storeReport(db: Database, tenantId: string, report: Report, scopesPerTenant: number) {
  const scopeId = report.scope_id;
  return db.transaction(async (tx) => {
    const { scope, events } = await lockOrCreateScope(tx, tenantId, scopeId, scopesPerTenant);
    const pair = createHash('sha256')
      .update(JSON.stringify([report.claim_a, report.claim_b].sort()))
      .digest();
    const existing = await storage.findContradictionByPair(tx, scope, pair);
    if (existing) return { created: false, contradiction: { scope_id: scopeId, ...existing } };

    if ((await storage.countReports(tx, scope)) >= MAX_REPORTS) throw tooManyReports(scopeId);
    const made = await storage.insertReport(tx, scope, {
      contradiction_id: newContradictionId(),
      pair_sha256: pair,
      claim_a: report.claim_a,
      claim_b: report.claim_b,
      source_a: report.source_a ?? null,
      source_b: report.source_b ?? null,
      severity: report.severity,
      document_ids: report.document_ids ?? [],
    });
    if (!made) throw new Error('a pair that was not there under the lock of its scope is there');
    const critical = made.severity === 'critical' ? 1 : 0;
    await updateScopeCounters(tx, [
      {
        ...{ scope_key: scope.scope_key, contradictions_open: 1, contradictions_reported: 1 },
        contradictions_critical: critical,
      },
    ]);
    const payload = { contradiction_id: made.id, severity: made.severity };
    await appendEvents(tx, [
      ...events,
      { type: 'contradiction.reported', tenant_id: tenantId, scope_id: scopeId, payload },
    ]);
    return { created: true, contradiction: { scope_id: scopeId, ...made } };
  });
}

function tooManyReports(scopeId: string): AppError {
  const detail = `${MAX_REPORTS} reports are open in scope ${scopeId}; have some of them resolved or deferred first.`;
  return new AppError('conflict', detail);
}

/** A record as its first answer would have shown it to the sender of this report. */
function asReported(report: Report, { id, created_at }: Pick<storage.ContradictionRow, 'id' | 'created_at'>) {
  return {
    ...report,
    id,
    created_at,
    source_a: report.source_a ?? null,
    source_b: report.source_b ?? null,
    document_ids: report.document_ids ?? [],
    evidence_a: null,
    evidence_b: null,
    subject: null,
    attribute: null,
    status: 'open' as const,
    origin: 'reported' as const,
    reason: null,
    resolution: null,
    upholds: null,
    outdated: false,
    resolved_by: null,
    resolved_at: null,
  };
}

/** The highest number that Postgres has for one. */
const LAST = '9223372036854775807';

export async function listContradictions(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  { cursor, limit, order, ...filter }: Page & listing.ContradictionFilter & { order: ContradictionOrder },
) {
  const scope = await requireScope(db, tenantId, scopeId);
  const isNewestFirst = order === 'newest';
  // A cursor of one order is no place in the other.
  const list = isNewestFirst ? 'contradictions by age' : 'contradictions';
  const after = decodeCursor(list, cursor, /^\d{1,18}$/, isNewestFirst ? LAST : '0');
  const rows = await listing.listContradictions(db, scope, filter, { after, isNewestFirst, limit: limit + 1 });
  const { items, next_cursor } = toPage(list, rows, limit, ({ ordinal }) => ordinal);
  const wanted = items.filter(({ is_wanted }) => is_wanted);
  const left_out = await storage.countLeftOut(db, scope);
  return { contradictions: wanted.map((item) => ({ scope_id: scopeId, ...item })), next_cursor, left_out };
}

export async function getContradiction(db: Queryable, tenantId: string, id: string, { scopeIds }: Access) {
  const found = await storage.findContradictionOfTenant(db, tenantId, id, scopeIds && [...scopeIds]);
  if (!found) throw notFound(`Contradiction ${id}`);
  return found;
}

export async function getScopeContradiction(db: Queryable, tenantId: string, scopeId: string, id: string) {
  const scope = await requireScope(db, tenantId, scopeId);
  const found = await storage.findContradiction(db, scope, id);
  if (!found) throw missingIn(scopeId, id);
  return { scope_id: scopeId, ...found };
}

const missingIn = (scopeId: string, id: string) => notFound(`Contradiction ${id} in scope ${scopeId}`);

/** The same as below, for who does not say in which scope. */
export async function decideOwnContradiction(
  db: Database,
  tenantId: string,
  id: string,
  decision: Decision,
  { access, convergence }: { access: Access; convergence: Convergence },
  deed: Deed,
) {
  const { scope_id } = await getContradiction(db, tenantId, id, access);
  return decideContradiction(db, tenantId, scope_id, id, decision, convergence, deed);
}

type Decision = Parameters<typeof storage.updateContradictionDecided>[3];

/** Resolves or defers one that is open, with who and why. */
export function decideContradiction(
  db: Database,
  tenantId: string,
  scopeId: string,
  id: string,
  decision: Decision,
  convergence: Convergence,
  deed: Deed,
) {
  return db.transaction(async (tx) => {
    await updateLockTimeout(tx, LOCK_PATIENCE_MS);
    const scope = await lockScope(tx, tenantId, scopeId);
    const decided = await storage.updateContradictionDecided(tx, scope, id, decision);
    if (!decided) {
      const found = await storage.findContradiction(tx, scope, id);
      if (!found) throw missingIn(scopeId, id);
      throw new AppError(
        'conflict',
        `Contradiction ${id} is ${found.status} already; only an open one can be decided.`,
      );
    }
    const { status } = decision;
    await updateScopeCounters(tx, [
      {
        ...{ scope_key: scope.scope_key, contradictions_open: -1, [`contradictions_${status}`]: 1 },
        contradictions_reported: decided.origin === 'reported' ? -1 : 0,
      },
    ]);
    const after = { status, ...(decision.upholds && { upholds: decision.upholds }) };
    const of = { tenant_id: tenantId, scope_id: scopeId, subject: id };
    const noted = () =>
      noteDeeds(tx, deed, { action: 'contradiction.decided', ...of, before: { status: 'open' }, after });
    const payload = { contradiction_id: id, resolved_by: decision.resolved_by };
    const event: NewEvent = { type: `contradiction.${status}`, tenant_id: tenantId, scope_id: scopeId, payload };
    await convergence.note(tx, scope, [event], noted);
    return { scope_id: scopeId, ...decided };
  });
}
