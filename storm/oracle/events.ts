/** The event log against the rows: each change has its event once, and a reader who follows gets each once, in order. */
import { type Books, type LoggedEvent, placeOf } from './books.ts';
import type { Verdict } from './verdict.ts';

/** But for the scopes that are settled elsewhere; the stream is for all. */
export function settleEvents(verdict: Verdict, books: Books, elsewhere = new Set<string>()): void {
  const isHere = (tenantId: string | null, scopeId: string | null) =>
    !elsewhere.has(placeOf(`${tenantId}`, `${scopeId}`));
  const here = books.events.filter(({ tenantId, scopeId }) => isHere(tenantId, scopeId));
  const ofDocument = Map.groupBy(
    here.filter(({ type }) => type.startsWith('document.')),
    ({ tenantId, scopeId, documentId, version }) => `${tenantId} ${scopeId} ${documentId} ${version}`,
  );
  const ofContradiction = Map.groupBy(
    here.filter(({ type }) => type.startsWith('contradiction.')),
    ({ contradictionId }) => `${contradictionId}`,
  );
  const created = Map.groupBy(
    books.events.filter(({ type }) => type === 'scope.created'),
    ({ tenantId, scopeId }) => placeOf(`${tenantId}`, `${scopeId}`),
  );

  for (const { tenantId, scopeId, documents, contradictions } of books.scopes) {
    const place = placeOf(tenantId, scopeId);
    verdict.expect('events', `created of ${place}`, created.get(place)?.length ?? 0, 1);
    if (!isHere(tenantId, scopeId)) continue;
    for (const { document_id, version, state } of documents) {
      const key = `${tenantId} ${scopeId} ${document_id} ${version}`;
      const events = ofDocument.get(key) ?? [];
      ofDocument.delete(key);
      const what = (type: string) => `${type} of ${document_id} in ${scopeId}`;
      verdict.expect('events', what('queued'), times(events, 'document.queued'), 1);
      verdict.expect('events', what('processed'), times(events, 'document.processed'), state === 'processed' ? 1 : 0);
      verdict.expect('events', what('failed'), times(events, 'document.failed'), state === 'failed' ? 1 : 0);
    }
    for (const { id } of contradictions) {
      const events = ofContradiction.get(id) ?? [];
      ofContradiction.delete(id);
      verdict.expect('events', `detected of ${id}`, times(events, 'contradiction.detected'), 1);
    }
  }
  for (const [key, events] of ofDocument) verdict.object('events', `of ${key}, which is not there`, events.length);
  for (const [id, events] of ofContradiction) verdict.object('events', `of ${id}, which is not there`, events.length);
  settleStream(verdict, books);
}

const times = (events: LoggedEvent[], wanted: string) => events.filter(({ type }) => type === wanted).length;

function settleStream(verdict: Verdict, { events, streamed }: Books): void {
  if (!streamed) return;
  let last = 0;
  for (const id of streamed) {
    if (id <= last) verdict.object('events', `the stream sent ${id} after ${last}`);
    last = id;
  }
  const sent = new Set(streamed);
  for (const { id, type } of events) if (!sent.has(id)) verdict.object('events', `the stream left out ${id}, ${type}`);
  const logged = new Set(events.map(({ id }) => id));
  for (const id of sent)
    if (!logged.has(id)) verdict.object('events', `the stream sent ${id}, which is not in the log`);
}
