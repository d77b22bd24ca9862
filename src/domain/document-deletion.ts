/** Deletes a document, however many versions it has: out of sight with the answer. */
import { AppError, notFound } from '../errors.ts';
import { appendEvents, type NewEvent } from '../events/log.ts';
import { type Database, type Queryable, updateLockTimeout } from '../storage/database.ts';
import { insertDocumentPurge } from '../storage/document-purges.ts';
import * as storage from '../storage/document-versions.ts';
import { deleteIdleLane } from '../storage/lanes.ts';
import type { LockedScope } from '../storage/scopes.ts';
import { type Deed, noteDeeds } from './audit.ts';
import { lockScope, requireScope } from './scopes.ts';
import { forgetVersions } from './settle/forget.ts';

/** So few rows at a time that nobody who posts to the scope waits long for its lock: some 50 ms. */
const PIECE = 1000;
/** Then the caller is told to come back. Only a document with very many versions that still wait gets so far. */
const PATIENCE_MS = 10_000;
/** For a scope that somebody else has locked: few may delete at once, and the others of them wait for this one. */
const LOCK_PATIENCE_MS = 2000;

interface Target {
  tenant_id: string;
  scope_id: string;
  document_id: string;
}

/**
 * Every version, with its text, its claims, the contradictions found in them and its idempotency keys. Its seqs are not given
 * again. Versions that none has superseded are in the queue, in a lane or compared with others, so their rows go at once; the
 * rest, of which there may be any number, is hidden and purged afterwards. Too many of the former become the latter first.
 */
export async function deleteDocument(
  db: Database,
  tenantId: string,
  scopeId: string,
  documentId: string,
  deed: Deed,
): Promise<void> {
  const target = { tenant_id: tenantId, scope_id: scopeId, document_id: documentId };
  const deadline = performance.now() + PATIENCE_MS;
  for (let superseded: number | null = null; ; ) {
    const outcome = await inLockedScope(db, target, (tx, scope) => eraseVersions(tx, scope, target, deed));
    // Only the first look can tell: later on, somebody else may have deleted it.
    if (outcome === 'missing' && superseded === null) throw notFound(`Document ${documentId} in scope ${scopeId}`);
    if (outcome !== 'too many') return;
    const above: number = superseded ?? (await findNewestSuperseded(db, target));
    // Should it end here, it is known who began it.
    const begun: Deed | null = superseded === null ? deed : null;
    superseded = await inLockedScope(db, target, (tx, scope) => supersedeVersions(tx, scope, target, above, begun));
    if (performance.now() > deadline) {
      const detail =
        'The document has very many versions that none has superseded, and not all are yet; send the same again.';
      throw new AppError('unavailable', detail, { retryAfterSeconds: 1 });
    }
  }
}

function inLockedScope<Result>(
  db: Database,
  { tenant_id, scope_id }: Target,
  work: (tx: Queryable, scope: LockedScope) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await updateLockTimeout(tx, LOCK_PATIENCE_MS);
    return work(tx, await lockScope(tx, tenant_id, scope_id));
  });
}

async function eraseVersions(
  tx: Queryable,
  scope: LockedScope,
  { document_id, ...of }: Target,
  deed: Deed,
): Promise<'erased' | 'missing' | 'too many'> {
  const newest = await storage.listNewestVersions(tx, scope, document_id, PIECE + 1);
  const [last] = newest;
  if (!last) return 'missing';
  const live = newest.filter(({ state }) => state !== 'superseded');
  if (live.length > PIECE) return 'too many';
  const erased = newest.length > PIECE ? live : newest;
  // Their numbers have no gaps, so that nobody has to count them.
  const { version: first } = await storage.findOldestVersion(tx, scope, document_id);
  const versions = last.version - first + 1;
  const hidden = versions - erased.length;
  await storage.deleteVersions(tx, scope, seqsOf(erased));
  if (hidden > 0) await insertDocumentPurge(tx, scope, document_id, last.version);
  const noted = () =>
    noteDeeds(tx, deed, { action: 'document.deleted', ...of, subject: document_id, before: { versions } });
  const told: NewEvent = { type: 'document.deleted', ...of, payload: { document_id, versions } };
  await forget(tx, scope, erased, -hidden, [told], noted);
  return 'erased';
}

/** The oldest that none has superseded. The newest stays as it is: should this end here, it is still the document. */
async function supersedeVersions(
  tx: Queryable,
  scope: LockedScope,
  { document_id, ...of }: Target,
  above: number,
  deed: Deed | null,
): Promise<number> {
  const oldest = (await storage.listOldestLiveVersions(tx, scope, document_id, above, PIECE + 1)).slice(0, -1);
  const last = oldest.at(-1);
  // What was known of it may be of a document that is gone, and another has its name.
  if (!last) return 0;
  await storage.updateVersionsSuperseded(tx, scope, seqsOf(oldest));
  const told = oldest.map(({ version, seq }): NewEvent => {
    return { type: 'document.superseded', ...of, payload: { document_id, version, seq } };
  });
  const after = { superseded: oldest.length, complete: false };
  const noted = async () =>
    deed && (await noteDeeds(tx, deed, { action: 'document.deleted', ...of, subject: document_id, after }));
  await forget(tx, scope, oldest, oldest.length, told, noted);
  return last.version;
}

const seqsOf = (versions: storage.StoredVersion[]) => versions.map(({ seq }) => seq);

/** After their rows: which document waits first is looked up anew. Events come last, since everybody's wait for their lock. */
async function forget(
  tx: Queryable,
  scope: LockedScope,
  versions: storage.StoredVersion[],
  superseded: number,
  told: NewEvent[],
  noted: () => Promise<unknown>,
): Promise<void> {
  const { waiting, events } = await forgetVersions(tx, scope, versions, superseded);
  if (waiting === 0) await deleteIdleLane(tx, scope.scope_key);
  await noted();
  if (told.length + events.length > 0) await appendEvents(tx, [...told, ...events]);
}

/** Before the scope is locked, since it reads past all that are newer. */
async function findNewestSuperseded(db: Queryable, { tenant_id, scope_id, document_id }: Target): Promise<number> {
  return storage.findNewestSuperseded(db, await requireScope(db, tenant_id, scope_id), document_id);
}
