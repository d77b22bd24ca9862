/** The oracle by itself: clean books pass, and each way of being wrong is objected to under its own name. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../storm/journal.ts';
import type { Books, LoggedEvent, ScopeBooks } from '../../storm/oracle/books.ts';
import { settle } from '../../storm/oracle/settle.ts';
import type { Objection } from '../../storm/oracle/verdict.ts';
import { claimsIn, state } from '../../storm/texts.ts';

const tenant = { id: 'ten_a', key: 'k' };
const statements = [state('Zorvik', 1900), state('Zorvik', 2600), state('Melqua', 1200), state('Melqua', 1200)];
const claims = statements.map(({ text }, n) => claimsIn(`paper ${n}`, text));

/** Four documents, of which the first two contradict each other. */
function clean(): { entries: Entry[]; books: Books; scope: ScopeBooks } {
  const entries = statements.map(
    (statement, n): Entry => ({
      tenant,
      scopeId: 's',
      name: `paper ${n}`,
      documentId: `doc-${n}`,
      key: `key-${n}`,
      statement,
      accepted: { documentId: `doc-${n}`, seq: n },
      otherAnswers: [],
      sends: 1,
    }),
  );
  const scope: ScopeBooks = {
    tenantId: tenant.id,
    scopeId: 's',
    documents: entries.map(({ name }, n) => ({
      document_id: `doc-${n}`,
      version: 1,
      seq: n,
      name,
      state: 'processed',
      attempts: 1,
      claims: claims[n] as number,
    })),
    contradictions: [{ id: 'con_1', document_ids: ['doc-1', 'doc-0'] }],
    summary: {
      documents: { total: 4, pending: 0, queued: 0, processing: 0, processed: 4, failed: 0, superseded: 0 },
      last_seq: 3,
      claims: { total: claims.reduce((sum, n) => sum + n, 0) },
      contradictions: { open: 1 },
    },
  };
  const event = (type: string, more: Partial<LoggedEvent>, id: number): LoggedEvent => ({
    id,
    type,
    tenantId: tenant.id,
    scopeId: 's',
    documentId: null,
    version: null,
    contradictionId: null,
    ...more,
  });
  const events = [
    event('scope.created', {}, 1),
    ...entries.map((_, n) => event('document.queued', { documentId: `doc-${n}`, version: 1 }, 10 + n)),
    ...entries.map((_, n) => event('document.processed', { documentId: `doc-${n}`, version: 1 }, 20 + n)),
    event('contradiction.detected', { contradictionId: 'con_1' }, 30),
  ];
  const rows = new Map([['ten_a s', 4]]);
  const groups = [{ place: 'ten_a s', counted: [3, 1, 1], there: [3, 1, 1] }];
  return {
    entries,
    scope,
    books: { scopes: [scope], events, rows, readings: new Map(rows), groups, streamed: events.map(({ id }) => id) },
  };
}

type Clean = ReturnType<typeof clean>;

it('has nothing against clean books', () => {
  const { entries, books } = clean();
  expect(settle(entries, books).toString()).toBe('');
});

describe('objects to', () => {
  it.each<[string, Objection, (it: Clean) => void]>([
    ['what was accepted and is not there', 'lost', ({ scope }) => void scope.documents.pop()],
    ['a scope that is not there', 'lost', ({ books }) => void books.scopes.pop()],
    ['what nobody sent', 'phantom', ({ entries }) => void entries.pop()],
    [
      'a document that is there twice',
      'duplicated',
      ({ scope }) => void scope.documents.push({ ...(scope.documents[0] as ScopeBooks['documents'][number]), seq: 4 }),
    ],
    ['another answer to the same request', 'duplicated', ({ entries }) => void entries[0]?.otherAnswers.push('doc-9')],
    [
      'a number that is left out',
      'gaps',
      ({ scope }) => {
        (scope.documents[3] as { seq: number }).seq = 4;
      },
    ],
    [
      'what is not done',
      'stuck',
      ({ scope }) => {
        (scope.documents[3] as { state: string }).state = 'queued';
      },
    ],
    ['an event that is missing', 'events', ({ books }) => void books.events.splice(3, 1)],
    ['an event that is doubled', 'events', ({ books }) => void books.events.push(books.events[6] as LoggedEvent)],
    [
      'an event of nothing',
      'events',
      ({ books }) => void books.events.push({ ...(books.events[1] as LoggedEvent), documentId: 'doc-9' }),
    ],
    ['a stream that goes back', 'events', ({ books }) => void books.streamed?.push(5)],
    ['a stream that leaves out', 'events', ({ books }) => void books.streamed?.splice(2, 1)],
    [
      'claims that are doubled',
      'claims',
      ({ scope }) => {
        (scope.documents[0] as { claims: number }).claims *= 2;
      },
    ],
    [
      'groups that are counted twice',
      'counters',
      ({ books }) => {
        (books.groups[0] as { counted: number[] }).counted = [4, 1, 1];
      },
    ],
    ['readings that are missing', 'claims', ({ books }) => void books.readings.set('ten_a s', 3)],
    ['a contradiction that was not found', 'contradictions', ({ scope }) => void scope.contradictions.pop()],
    [
      'a contradiction that was found twice',
      'contradictions',
      ({ scope }) => void scope.contradictions.push({ id: 'con_2', document_ids: ['doc-0', 'doc-1'] }),
    ],
    [
      'a contradiction that is none',
      'contradictions',
      ({ scope }) => void scope.contradictions.push({ id: 'con_2', document_ids: ['doc-2', 'doc-3'] }),
    ],
    [
      'a counter that is off',
      'counters',
      ({ scope }) => {
        scope.summary.documents.processed = 5;
      },
    ],
    ['rows that the API does not show', 'counters', ({ books }) => void books.rows.set('ten_a s', 5)],
  ])('%s: %s', (_, objection, spoil) => {
    const made = clean();
    spoil(made);
    expect(settle(made.entries, made.books).counts[objection]).toBeGreaterThan(0);
  });
});
