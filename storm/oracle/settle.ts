/** Settles the books: what the outside client was told against what there is. Pure, so that it can be tried by itself. */
import type { Changing } from '../changes.ts';
import type { Entry } from '../journal.ts';
import { claimsIn } from '../texts.ts';
import { type Books, placeOf, type ScopeBooks } from './books.ts';
import { settleChangingEvents, settleVersions } from './changing.ts';
import { settleEvents } from './events.ts';
import { Verdict } from './verdict.ts';

export function settle(entries: Entry[], books: Books, changing: Changing[] = []): Verdict {
  const verdict = new Verdict();
  const sent = new Map<string, Map<string, Entry>>();
  for (const entry of entries) {
    const place = placeOf(entry.tenant.id, entry.scopeId);
    sent.set(place, (sent.get(place) ?? new Map()).set(entry.name, entry));
  }
  const seen = new Set<string>();
  for (const scope of books.scopes) {
    const place = placeOf(scope.tenantId, scope.scopeId);
    if (seen.has(place)) verdict.object('duplicated', `${place} is listed twice`);
    seen.add(place);
    settleCounters(verdict, scope, books);
    const changed = changing.find(({ tenant, scopeId }) => placeOf(tenant.id, scopeId) === place);
    if (changed) {
      const named = changed.lives.flatMap(({ versions }) =>
        versions.map((version) => [version.name, version] as const),
      );
      settleVersions(verdict, scope, changed);
      settleFindings(verdict, scope, new Map(named));
      settleChangingEvents(verdict, scope, changed, books);
      continue;
    }
    const ofScope = sent.get(place) ?? new Map<string, Entry>();
    settleDocuments(verdict, scope, ofScope);
    settleNumbers(verdict, scope);
    settleFindings(verdict, scope, ofScope);
  }
  for (const [place, ofScope] of sent) {
    const accepted = [...ofScope.values()].filter((entry) => entry.accepted).length;
    if (!seen.has(place)) verdict.object('lost', `all of ${place}`, accepted);
  }
  for (const { tenant, scopeId, lives } of changing) {
    const place = placeOf(tenant.id, scopeId);
    if (!seen.has(place) && lives.length > 0) verdict.object('lost', `all of ${place}`, lives.length);
  }
  for (const { place, counted, there } of books.groups)
    if (counted.join() !== there.join())
      verdict.object('counters', `groups of ${place}: ${counted} are counted, and ${there} are there`);
  settleEvents(verdict, books, new Set(changing.map(({ tenant, scopeId }) => placeOf(tenant.id, scopeId))));
  return verdict;
}

/** Accepted is there exactly once, as it was answered; and nothing is there that nobody sent. */
function settleDocuments(verdict: Verdict, { scopeId, documents }: ScopeBooks, sent: Map<string, Entry>): void {
  const byName = Map.groupBy(documents, ({ name }) => name);
  for (const [name, copies] of byName) {
    verdict.object('duplicated', `${name} in ${scopeId}`, copies.length - 1);
    if (!sent.has(name)) verdict.object('phantom', `${name} in ${scopeId}`, copies.length);
  }
  for (const [id, copies] of Map.groupBy(documents, ({ document_id }) => document_id))
    verdict.object('duplicated', `document ${id} in ${scopeId}`, copies.length - 1);

  for (const { name, accepted, otherAnswers, documentId } of sent.values()) {
    const [stored] = byName.get(name) ?? [];
    for (const other of otherAnswers)
      verdict.object('duplicated', `${name}: answered ${accepted?.documentId} at ${accepted?.seq}, then ${other}`);
    if (!accepted) continue;
    if (!stored) verdict.object('lost', `${name} in ${scopeId}, accepted at ${accepted.seq}`);
    else if (stored.seq !== accepted.seq)
      verdict.object('gaps', `${name} in ${scopeId} is at ${stored.seq}, was answered ${accepted.seq}`);
    else if (stored.document_id !== accepted.documentId || stored.document_id !== (documentId ?? stored.document_id))
      verdict.object('phantom', `${name} in ${scopeId} is ${stored.document_id}, was answered ${accepted.documentId}`);
  }
  for (const { name, state } of documents)
    if (state !== 'processed') verdict.object('stuck', `${name} in ${scopeId} is ${state}`);
}

function settleNumbers(verdict: Verdict, { scopeId, documents, summary }: ScopeBooks): void {
  const seqs = documents.map(({ seq }) => seq).sort((a, b) => a - b);
  for (const [n, seq] of seqs.entries()) {
    const expected = n === 0 ? 0 : (seqs[n - 1] as number) + 1;
    if (seq !== expected) verdict.object('gaps', `${scopeId} has ${seq} where ${expected} comes next`);
  }
  verdict.expect('gaps', `last_seq of ${scopeId}`, summary.last_seq ?? -1, seqs.length - 1);
}

/** Each document makes the claims that it makes in peace; two that differ about one firm are one contradiction, once. */
function settleFindings(verdict: Verdict, scope: ScopeBooks, sent: Map<string, Pick<Entry, 'statement'>>): void {
  const { scopeId, documents, contradictions } = scope;
  const done = documents.filter(({ state }) => state === 'processed');
  for (const { name, claims } of done) {
    const text = sent.get(name)?.statement.text;
    if (text) verdict.expect('claims', `claims of ${name} in ${scopeId}`, claims ?? 0, claimsIn(name, text));
  }

  const expected = new Set<string>();
  const known = done.flatMap(({ name, document_id }) => {
    const statement = sent.get(name)?.statement;
    return statement ? [{ document_id, ...statement }] : [];
  });
  for (const about of Map.groupBy(known, ({ firm }) => firm).values())
    for (const [n, one] of about.entries())
      for (const other of about.slice(n + 1))
        if (one.employees !== other.employees) expected.add(pairOf([one.document_id, other.document_id]));

  const found = Map.groupBy(contradictions, ({ document_ids }) => pairOf(document_ids));
  for (const pair of expected) {
    const times = found.get(pair)?.length ?? 0;
    verdict.expect('contradictions', `between ${pair} in ${scopeId}`, times, 1);
  }
  for (const [pair, records] of found)
    if (!expected.has(pair)) verdict.object('contradictions', `between ${pair} in ${scopeId}`, records.length);
}

const pairOf = (ids: string[]) => [...ids].sort().join(' and ');

/** Counters are kept beside the rows: they have to say the same. */
function settleCounters(verdict: Verdict, scope: ScopeBooks, { rows, readings }: Books): void {
  const { tenantId, scopeId, documents, contradictions, summary } = scope;
  const place = placeOf(tenantId, scopeId);
  const states = Map.groupBy(documents, ({ state }) => state);
  for (const [state, counted] of Object.entries(summary.documents)) {
    const there = state === 'total' ? documents.length : (states.get(state)?.length ?? 0);
    verdict.expect('counters', `${state} of ${scopeId}`, counted, there);
  }
  const claims = documents.reduce((sum, document) => sum + (document.claims ?? 0), 0);
  verdict.expect('counters', `claims of ${scopeId}`, summary.claims.total, claims);
  verdict.expect('counters', `contradictions of ${scopeId}`, summary.contradictions.open, contradictions.length);
  verdict.expect('counters', `rows of ${place}`, rows.get(place) ?? 0, documents.length);
  verdict.expect('claims', `readings of ${place}`, readings.get(place) ?? 0, states.get('processed')?.length ?? 0);
}
