/** Commits submissions that are new for certain, since they name neither a key nor a document: one round trip. */

import { appendEvents } from '../../events/log.ts';
import type { Database } from '../../storage/database.ts';
import {
  insertNewDocumentsAcrossTenants,
  insertNewDocumentsInScopes,
  type NewContent,
  type NewDocuments,
  type NewInScope,
  type NewRow,
  type Placed,
  shownState,
} from '../../storage/documents.ts';
import { newDocumentId } from '../ids.ts';
import { lockOrCreateScopes } from '../scopes.ts';
import { type FlushResult, isDeadlock, TRIES } from './flush.ts';
import { type Entry, scopeName } from './plan.ts';
import { firstState } from './submission.ts';

export async function flushNew(db: Database, entries: Entry[]): Promise<FlushResult> {
  const wanted = new Map<string, NewInScope>();
  const rows: NewRow[] = [];
  const contents: NewContent[] = [];
  for (const { submission, content } of entries) {
    const { tenantId, scopeId, name, type, source, provenance, text } = submission;
    const key = scopeName(tenantId, scopeId);
    let scope = wanted.get(key);
    if (!scope) {
      scope = {
        at: wanted.size + 1,
        tenant_id: tenantId,
        scope_id: scopeId,
        documents: 0,
        registered: 0,
        pending: 0,
        queued: 0,
      };
      wanted.set(key, scope);
    }
    const place = { at: scope.at, k: scope.documents++ };
    const state = firstState(submission);
    scope[state]++;
    rows.push({ ...place, document_id: newDocumentId(), state, content_sha256: content });
    contents.push({ ...place, name, type, source, provenance, text });
  }

  const scopes = [...wanted.values()];
  const placed = await store(db, { wanted: scopes, rows, contents });
  const outcomes = entries.map(({ submission: { scopeId, name, type } }, index) => {
    const { at, k, document_id, ...row } = rows[index] as NewRow;
    const state = shownState(row.state);
    const seq = (placed.first_seqs[at - 1] as number) + k;
    return { document: { scope_id: scopeId, document_id, version: 1, seq, name, type, state }, replayed: false };
  });
  const queued = scopes.reduce((sum, scope) => sum + scope.queued, 0);
  return { outcomes, queued, awakened: scopes.filter(({ at }) => placed.awakened[at - 1]) };
}

async function store(db: Database, documents: NewDocuments): Promise<Placed> {
  for (let attempt = 1; ; attempt++) {
    try {
      const placed = (await insertNewDocumentsAcrossTenants(db, documents)) ?? (await storeInNewScopes(db, documents));
      if (placed) return placed;
    } catch (error) {
      if (!isDeadlock(error) || attempt === TRIES) throw error;
    }
  }
}

/**
 * On first use of a scope, which the usual flush does not even look for. In one transaction with the documents: made by
 * itself, an empty scope could be seen and deleted in between. Null when others have made the scopes meanwhile.
 */
function storeInNewScopes(db: Database, documents: NewDocuments): Promise<Placed | null> {
  return db.transaction(async (tx) => {
    const names = documents.wanted.map(({ tenant_id, scope_id }) => ({ tenant_id, scope_id }));
    const { created } = await lockOrCreateScopes(tx, names);
    if (created.length === 0) return null;
    await appendEvents(tx, created);
    return insertNewDocumentsInScopes(tx, documents);
  });
}
