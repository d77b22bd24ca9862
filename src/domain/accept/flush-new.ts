/**
 * Commits submissions in one round trip, as far as nobody has sent them before and their scopes are there and free. The rest
 * is left for a flush that looks first, or that waits for the lock.
 */
import { type Database, isUniqueViolation } from '../../storage/database.ts';
import { shownState } from '../../storage/documents.ts';
import {
  insertNewDocumentsAcrossTenants,
  type NewDocuments,
  type NewInScope,
  type NewRow,
  type Placed,
} from '../../storage/new-documents.ts';
import { newDocumentId } from '../ids.ts';
import { type FlushResult, isDeadlock, isOutcome, type Left, type Outcome, TRIES } from './flush.ts';
import { type Entry, eventOf, scopeName } from './plan.ts';
import { firstState } from './submission.ts';

export async function flushNew(db: Database, entries: Entry[], patienceMs: number): Promise<FlushResult> {
  const scopes = new Map<string, NewInScope & { documents: number }>();
  const rows = entries.map(({ submission, content, fingerprint }): NewRow => {
    const { tenantId, scopeId, documentId, idempotencyKey, name, type, source, provenance, text, traceparent } =
      submission;
    const among = scopeName(tenantId, scopeId);
    const scope = scopes.get(among) ?? { at: scopes.size + 1, tenant_id: tenantId, scope_id: scopeId, documents: 0 };
    scopes.set(among, scope);
    const state = firstState(submission);
    return {
      at: scope.at,
      nth: scope.documents++,
      document_id: documentId ?? newDocumentId(),
      named: documentId !== null,
      key: idempotencyKey,
      fingerprint,
      state,
      event: eventOf(state),
      content_sha256: content,
      name,
      type,
      source,
      provenance,
      text,
      traceparent,
    };
  });

  const wanted = [...scopes.values()];
  const placed = await store(db, { wanted, rows }, patienceMs);
  const outcomes = entries.map(({ submission: { scopeId, name, type } }, index) => {
    const { at, document_id, state } = rows[index] as NewRow;
    const seq = placed?.seqs[index] ?? null;
    if (seq === null) return placed?.locked[at - 1] ? 'locked' : 'unseen';
    const document = { scope_id: scopeId, document_id, version: 1, seq, name, type, state: shownState(state) };
    return { document, replayed: false };
  });
  return {
    outcomes,
    queued: rows.filter(({ state }, index) => state === 'queued' && isOutcome(outcomes[index] as Outcome | Left))
      .length,
    awakened: wanted.filter(({ at }) => placed?.awakened[at - 1]),
  };
}

/** Null when none of them can be stored in this way. */
async function store(db: Database, documents: NewDocuments, patienceMs: number): Promise<Placed | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await insertNewDocumentsAcrossTenants(db, documents, patienceMs);
    } catch (error) {
      // Another process bound one of our keys between our look and our write.
      if (isUniqueViolation(error)) return null;
      if (!isDeadlock(error) || attempt === TRIES) throw error;
    }
  }
}
