/** The scopes of the client that changes its mind: newest versions are processed, older ones superseded, deleted ones gone. */
import type { Changing, Life } from '../changes.ts';
import type { Books, LoggedEvent, ScopeBooks } from './books.ts';
import type { Verdict } from './verdict.ts';

const keyOf = (documentId: string, version: number) => `${documentId} ${version}`;

export function settleVersions(
  verdict: Verdict,
  { scopeId, documents, summary }: ScopeBooks,
  { lives }: Changing,
): void {
  const rows = Map.groupBy(documents, ({ document_id, version }) => keyOf(document_id, version));
  for (const { documentId, versions, isDeleted } of lives) {
    for (const [index, { seq, name }] of versions.entries()) {
      const what = `version ${index + 1} of ${documentId} in ${scopeId}`;
      const key = keyOf(documentId, index + 1);
      const [row, ...more] = rows.get(key) ?? [];
      rows.delete(key);
      verdict.object('duplicated', what, more.length);
      if (isDeleted) {
        if (row) verdict.object('phantom', `${what}, which was deleted`);
        continue;
      }
      const due = index === versions.length - 1 ? 'processed' : 'superseded';
      if (!row) verdict.object('lost', what);
      else if (row.name !== name) verdict.object('phantom', `${what} is ${row.name} instead of ${name}`);
      else if (row.seq !== seq) verdict.object('gaps', `${what} is at ${row.seq}, was answered ${seq}`);
      else if (row.state !== due) verdict.object('stuck', `${what} is ${row.state} instead of ${due}`);
    }
  }
  for (const [key, left] of rows) verdict.object('phantom', `${key} in ${scopeId}`, left.length);

  // What was deleted keeps its number: with it, there is no gap.
  const seqs = lives.flatMap(({ versions }) => versions.map(({ seq }) => seq)).sort((a, b) => a - b);
  for (const [n, seq] of seqs.entries())
    if (seq !== n) verdict.object('gaps', `${scopeId} answered ${seq} where ${n} comes next`);
  verdict.expect('gaps', `last_seq of ${scopeId}`, summary.last_seq ?? -1, seqs.length - 1);
}

/** What happened since the scope was emptied last; what was before that is of nothing that is there. */
export function settleChangingEvents(verdict: Verdict, scope: ScopeBooks, changing: Changing, books: Books): void {
  const { tenantId, scopeId } = scope;
  const all = books.events.filter((event) => event.tenantId === tenantId && event.scopeId === scopeId);
  const resets = all.filter(({ type }) => type === 'scope.reset');
  // One that was not answered may have been sent, and carried out, twice.
  if (resets.length < changing.resets) verdict.object('events', `reset of ${scopeId}`, changing.resets - resets.length);
  const since = all.slice(all.findLastIndex(({ type }) => type === 'scope.reset') + 1);
  settleLives(verdict, scopeId, changing.lives, since);
  settleContradictions(verdict, scope, since);
}

/** How often each may have happened to a version: at least, and at most. */
type Range = [number, number];
const ONCE: Range = [1, 1];
const NEVER: Range = [0, 0];
const MAYBE: Range = [0, 1];

function settleLives(verdict: Verdict, scopeId: string, lives: Life[], events: LoggedEvent[]): void {
  const ofDocument = Map.groupBy(
    events.filter(({ type }) => type.startsWith('document.')),
    ({ documentId }) => `${documentId}`,
  );
  for (const { documentId, versions, isDeleted } of lives) {
    const its = ofDocument.get(documentId) ?? [];
    ofDocument.delete(documentId);
    const expect = (type: string, version: number | null, [least, most]: Range) => {
      const seen = its.filter((event) => event.type === `document.${type}` && event.version === version).length;
      const wanted = Math.min(most, Math.max(least, seen));
      verdict.expect('events', `${type} of version ${version} of ${documentId} in ${scopeId}`, seen, wanted);
    };
    expect('deleted', null, isDeleted ? ONCE : NEVER);
    for (const [index, { isStored }] of versions.entries()) {
      const [version, isNewest] = [index + 1, index === versions.length - 1];
      const isThere = isNewest && !isDeleted;
      expect('accepted', version, isStored ? ONCE : NEVER);
      expect('queued', version, isStored && !isThere ? MAYBE : ONCE);
      expect('processed', version, isThere ? ONCE : MAYBE);
      expect('superseded', version, isNewest ? NEVER : isDeleted ? MAYBE : ONCE);
      expect('failed', version, NEVER);
    }
    const beyond = its.filter(({ version }) => (version ?? 0) > versions.length).length;
    verdict.object('events', `of a version of ${documentId} in ${scopeId} that nobody sent`, beyond);
  }
  for (const [id, left] of ofDocument)
    verdict.object('events', `of ${id} in ${scopeId}, which is not there`, left.length);
}

/** Found and taken back as often as not, unless it is there. */
function settleContradictions(verdict: Verdict, { contradictions }: ScopeBooks, events: LoggedEvent[]): void {
  const open = new Set(contradictions.map(({ id }) => id));
  const ofContradiction = Map.groupBy(
    events.filter(({ type }) => type === 'contradiction.detected' || type === 'contradiction.retracted'),
    ({ contradictionId }) => `${contradictionId}`,
  );
  for (const id of new Set([...open, ...ofContradiction.keys()])) {
    const its = ofContradiction.get(id) ?? [];
    const found = its.filter(({ type }) => type === 'contradiction.detected').length;
    verdict.expect('events', `${id}, detected more often than retracted`, 2 * found - its.length, open.has(id) ? 1 : 0);
  }
}
