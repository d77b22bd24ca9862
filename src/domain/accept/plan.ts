/** Decides what a flush will write, from what was submitted and what is there. Pure. */
import type { NewEvent } from '../../events/log.ts';
import { type LatestVersion, type NewDocument, shownState } from '../../storage/documents.ts';
import type { NewBinding } from '../../storage/idempotency-keys.ts';
import type { LockedScope, ScopeChange } from '../../storage/scopes.ts';
import { newDocumentId } from '../ids.ts';
import { traceIn } from '../trace.ts';
import { type AcceptedDocument, firstState, type Submission } from './submission.ts';

export interface Entry {
  submission: Submission;
  content: string;
  fingerprint: string | null;
}

export interface Plan {
  documents: NewDocument[];
  requeued: { scope_key: string; generation: number; seq: number }[];
  bindings: NewBinding[];
  changes: ScopeChange[];
  events: NewEvent[];
  /** One for each entry, in order. */
  accepted: AcceptedDocument[];
}

export const scopeName = (tenantId: string, scopeId: string) => `${tenantId} ${scopeId}`;
export const documentName = (scopeKey: string, documentId: string) => `${scopeKey} ${documentId}`;

/** What the log is told of a new version. */
export const eventOf = (state: NewDocument['state']) =>
  state === 'queued' ? ('document.queued' as const) : ('document.accepted' as const);

/**
 * No two entries may share an idempotency key or a document id: the later ones wait for the next flush. Only new
 * versions get a seq, so a scope's numbers have neither gap nor repeat.
 */
export function plan(entries: Entry[], scopes: Map<string, LockedScope>, latest: Map<string, LatestVersion>): Plan {
  const result: Plan = { documents: [], requeued: [], bindings: [], changes: [], events: [], accepted: [] };
  const changes = new Map<
    string,
    Required<Pick<ScopeChange, 'scope_key' | 'next_seq' | 'registered' | 'pending' | 'queued' | 'failed'>>
  >();

  for (const { submission, content, fingerprint } of entries) {
    const { tenantId, scopeId, idempotencyKey } = submission;
    const scope = scopes.get(scopeName(tenantId, scopeId)) as LockedScope;
    const change = changes.get(scope.scope_key) ?? {
      scope_key: scope.scope_key,
      next_seq: 0,
      registered: 0,
      pending: 0,
      queued: 0,
      failed: 0,
    };
    const known = submission.documentId ? latest.get(documentName(scope.scope_key, submission.documentId)) : undefined;
    const accepted = known?.content_sha256 === content ? repeat(known) : add(known?.version ?? 0);
    result.accepted.push(accepted);
    if (idempotencyKey && fingerprint) {
      const { scope_key, generation } = scope;
      result.bindings.push({
        tenant_id: tenantId,
        idempotency_key: idempotencyKey,
        fingerprint,
        scope_key,
        generation,
        seq: accepted.seq,
      });
    }
    if (change.next_seq || change.queued) changes.set(scope.scope_key, change);

    function add(version: number): AcceptedDocument {
      const { name, type, text, source, provenance, traceparent } = submission;
      const state = firstState(submission);
      const document = {
        scope_key: scope.scope_key,
        generation: scope.generation,
        seq: scope.next_seq + change.next_seq,
        document_id: submission.documentId ?? newDocumentId(),
        version: version + 1,
        state,
        content_sha256: content,
        name,
        type,
        source,
        provenance,
        text,
        traceparent,
      } as const;
      change.next_seq++;
      change[state]++;
      result.documents.push(document);
      note(eventOf(state), document);
      return answer(document);
    }

    /** The same again: nothing new, but ingest sends on a document that was only stored, or that had failed. */
    function repeat(document: LatestVersion): AcceptedDocument {
      const { seq, state } = document;
      if (submission.route !== 'ingest' || (state !== 'pending' && state !== 'failed')) return answer(document);
      change[state]--;
      change.queued++;
      result.requeued.push({ scope_key: scope.scope_key, generation: scope.generation, seq });
      note('document.queued', document);
      return answer({ ...document, state: 'queued' });
    }

    function note(
      type: 'document.accepted' | 'document.queued',
      { document_id, version, seq }: Pick<AcceptedDocument, 'document_id' | 'version' | 'seq'>,
    ) {
      const payload = { document_id, version, seq, ...traceIn(submission.traceparent) };
      result.events.push({ type, tenant_id: tenantId, scope_id: scopeId, payload });
    }

    function answer({
      document_id,
      version,
      seq,
      state,
    }: Pick<LatestVersion, 'document_id' | 'version' | 'seq' | 'state'>) {
      const { name, type } = submission;
      return { scope_id: scopeId, document_id, version, seq, name, type, state: shownState(state) };
    }
  }
  result.changes = [...changes.values()];
  return result;
}
