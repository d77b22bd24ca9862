/** Commits any submissions, those too that were sent before or that make a scope: looks first, then writes. */
import { AppError } from '../../errors.ts';
import { appendEvents } from '../../events/log.ts';
import { type Database, isLockTimeout, type Transaction, updateLockTimeout } from '../../storage/database.ts';
import { insertDocuments, listLatestVersions, shownState, updateDocumentsQueued } from '../../storage/documents.ts';
import { type BoundKey, insertBindings, listBoundKeysAcrossTenants } from '../../storage/idempotency-keys.ts';
import { insertLanes } from '../../storage/lanes.ts';
import { type LockedScope, updateScopeCounters } from '../../storage/scopes.ts';
import { mayRead } from '../access.ts';
import { makeRoom } from '../document-purger.ts';
import { lockFreeOrCreateScopes, lockOrCreateScopes } from '../new-scopes.ts';
import { type FlushResult, isDeadlock, type Outcome, TRIES } from './flush.ts';
import { documentName, type Entry, plan, scopeName } from './plan.ts';

/** Another process bound one of our keys between our look and our write. Everything is undone and tried again. */
class LostRace extends Error {}

export interface FlushOptions {
  /** How long to wait for what others have locked. */
  patienceMs: number;
  /** Whether scopes that are locked are left out at once. */
  leavesLocked: boolean;
  /** How many scopes a tenant may have that has no limit of its own. */
  scopesPerTenant: number;
}

export async function flushAny(db: Database, entries: Entry[], options: FlushOptions): Promise<FlushResult> {
  for (let attempt = 1; ; attempt++) {
    // Before the transaction: nearly all that come here were sent before, and those are only read.
    const outcomes = await replays(db, entries);
    const rest = entries.filter((entry) => !outcomes.has(entry));
    try {
      const written = rest.length > 0 ? await db.transaction((tx) => write(tx, rest, options)) : NOTHING;
      for (const [entry, outcome] of written.outcomes) outcomes.set(entry, outcome);
      const { queued, awakened } = written;
      return { outcomes: entries.map((entry) => outcomes.get(entry) ?? 'locked'), queued, awakened };
    } catch (error) {
      if (isLockTimeout(error))
        return { outcomes: entries.map((entry) => outcomes.get(entry) ?? 'locked'), queued: 0, awakened: [] };
      const again = error instanceof LostRace || isDeadlock(error);
      if (!again || attempt === TRIES) throw error;
    }
  }
}

interface Written extends Omit<FlushResult, 'outcomes'> {
  /** Of those whose scopes were not locked by others. */
  outcomes: Map<Entry, Outcome>;
}

const NOTHING: Written = { outcomes: new Map(), queued: 0, awakened: [] };

/** The entries whose keys are none of them taken. */
async function write(tx: Transaction, wanted: Entry[], options: FlushOptions): Promise<Written> {
  const { scopes, created, refused } = await lockScopes(tx, wanted, options);
  const outcomes = new Map<Entry, Outcome>();
  const entries = wanted.filter((entry) => {
    const scope = scopeName(entry.submission.tenantId, entry.submission.scopeId);
    const error = refused.get(scope);
    if (error) outcomes.set(entry, error);
    return scopes.has(scope);
  });
  const todo = plan(entries, scopes, await latestVersions(tx, entries, scopes));
  for (const [index, document] of todo.accepted.entries())
    outcomes.set(entries[index] as Entry, { document, replayed: false });
  if (todo.documents.length > 0) {
    await makeRoom(tx, todo.documents);
    await insertDocuments(tx, todo.documents);
  }
  if (todo.requeued.length > 0) await updateDocumentsQueued(tx, todo.requeued);
  if (todo.bindings.length > 0 && (await insertBindings(tx, todo.bindings)) < todo.bindings.length)
    throw new LostRace();
  if (todo.changes.length > 0) await updateScopeCounters(tx, todo.changes);
  const awakened: LockedScope[] = [];
  let queued = 0;
  const queuedIn = new Map(todo.changes.map((change) => [change.scope_key, change.queued ?? 0]));
  for (const scope of scopes.values()) {
    const more = queuedIn.get(scope.scope_key) ?? 0;
    queued += more;
    if (scope.queued === 0 && more > 0) awakened.push(scope);
  }
  if (awakened.length > 0)
    await insertLanes(
      tx,
      awakened.map(({ scope_key }) => scope_key),
    );
  const events = [...created, ...todo.events];
  if (events.length > 0) await appendEvents(tx, events);
  return { outcomes, queued, awakened };
}

/** The outcomes of those whose keys are taken. */
async function replays(db: Database, entries: Entry[]): Promise<Map<Entry, Outcome>> {
  const names = entries.flatMap(({ submission: { tenantId, idempotencyKey } }) =>
    idempotencyKey ? [{ tenant_id: tenantId, idempotency_key: idempotencyKey }] : [],
  );
  const keys = names.length > 0 ? await listBoundKeysAcrossTenants(db, names) : [];
  const bound = new Map(keys.map((key) => [scopeName(key.tenant_id, key.idempotency_key), key]));
  const outcomes = new Map<Entry, Outcome>();
  for (const entry of entries) {
    const key = bound.get(scopeName(entry.submission.tenantId, entry.submission.idempotencyKey ?? ''));
    if (key) outcomes.set(entry, replay(entry, key));
  }
  return outcomes;
}

export function replay(
  { submission, fingerprint }: Entry,
  key: Omit<BoundKey, 'tenant_id' | 'idempotency_key'>,
): Outcome {
  if (key.fingerprint !== fingerprint) {
    // Keys are of the tenant, and whoever sends this one may not be able to reach the scope in which it was used.
    const made = mayRead(submission.access, key.scope_id)
      ? `, which made document ${key.document_id} in scope ${key.scope_id}`
      : '';
    return new AppError(
      'idempotency_key_reused',
      `This idempotency_key was used for another request${made}. Use a new key.`,
    );
  }
  const { scope_id, document_id, version, seq, name, type } = key;
  return {
    document: { scope_id, document_id, version, seq, name, type, state: shownState(key.state) },
    replayed: true,
  };
}

async function lockScopes(tx: Transaction, entries: Entry[], options: FlushOptions) {
  const { patienceMs, leavesLocked, scopesPerTenant } = options;
  const wanted = new Map(
    entries.map(({ submission: { tenantId, scopeId } }) => [
      scopeName(tenantId, scopeId),
      { tenant_id: tenantId, scope_id: scopeId },
    ]),
  );
  // Also for a scope or a key that a transaction is making which somebody has frozen.
  await updateLockTimeout(tx, patienceMs);
  const lock = leavesLocked ? lockFreeOrCreateScopes : lockOrCreateScopes;
  const { scopes, created, refused } = await lock(tx, [...wanted.values()], scopesPerTenant);
  return {
    created,
    refused,
    scopes: new Map(scopes.map((scope) => [scopeName(scope.tenant_id, scope.scope_id), scope])),
  };
}

async function latestVersions(tx: Transaction, entries: Entry[], scopes: Map<string, LockedScope>) {
  const named = entries.flatMap(({ submission: { tenantId, scopeId, documentId } }) => {
    const scope = scopes.get(scopeName(tenantId, scopeId));
    return scope && documentId
      ? [{ scope_key: scope.scope_key, generation: scope.generation, document_id: documentId }]
      : [];
  });
  const rows = named.length > 0 ? await listLatestVersions(tx, named) : [];
  return new Map(rows.map((row) => [documentName(row.scope_key, row.document_id), row]));
}
