/** The oracle on the scopes of a client that changes its mind: each way of being wrong is objected to. */
import { describe, expect, it } from 'vitest';
import type { Changing, Life } from '../../storm/changes.ts';
import type { Books, LoggedEvent, ScopeBooks, StoredDocument } from '../../storm/oracle/books.ts';
import { settle } from '../../storm/oracle/settle.ts';
import type { Objection } from '../../storm/oracle/verdict.ts';
import { claimsIn, state } from '../../storm/texts.ts';

const tenant = { id: 'ten_a', key: 'k' };

/** After a reset: `a` in two versions, of which the newer contradicts `b`; `b`, which was stored first; `c`, deleted. */
function clean() {
  const life = (documentId: string, ...versions: [seq: number, employees: number, isStored: boolean][]): Life => ({
    documentId,
    versions: versions.map(([seq, employees, isStored]) => ({
      seq,
      name: `draft ${seq}`,
      statement: state('Zorvik', employees),
      isStored,
    })),
    isDeleted: documentId === 'c',
    isClear: true,
  });
  const lives = [
    life('a', [0, 1200, false], [3, 1900, false]),
    life('b', [1, 1200, true]),
    life('c', [2, 3100, false]),
  ];
  const changing: Changing = { tenant, scopeId: 's', lives, resets: 1 };
  const claims = claimsIn('draft 0', state('Zorvik', 1200).text);
  const row = (document_id: string, version: number, seq: number, state: string): StoredDocument => ({
    document_id,
    version,
    seq,
    name: `draft ${seq}`,
    state,
    attempts: 1,
    claims: state === 'processed' ? claims : null,
  });
  const scope: ScopeBooks = {
    tenantId: tenant.id,
    scopeId: 's',
    documents: [row('a', 1, 0, 'superseded'), row('b', 1, 1, 'processed'), row('a', 2, 3, 'processed')],
    contradictions: [{ id: 'con_2', document_ids: ['a', 'b'] }],
    summary: {
      documents: { total: 3, pending: 0, queued: 0, processing: 0, processed: 2, failed: 0, superseded: 1 },
      last_seq: 3,
      claims: { total: 2 * claims },
      contradictions: { open: 1 },
    },
  };
  const event = (type: string, documentId: string | null = null, version: number | null = null): LoggedEvent => ({
    id: 0,
    type,
    tenantId: tenant.id,
    scopeId: 's',
    documentId,
    version,
    contradictionId: null,
  });
  const conflict = (type: string, contradictionId: string) => ({ ...event(`contradiction.${type}`), contradictionId });
  const events = [
    event('scope.created'),
    event('document.queued', 'x', 1),
    event('document.processed', 'x', 1),
    conflict('detected', 'con_0'),
    event('scope.reset'),
    event('document.queued', 'a', 1),
    event('document.accepted', 'b', 1),
    event('document.queued', 'c', 1),
    event('document.processed', 'a', 1),
    event('document.processed', 'c', 1),
    conflict('detected', 'con_1'),
    event('scope.ingest_triggered'),
    event('document.queued', 'b', 1),
    event('document.queued', 'a', 2),
    event('document.deleted', 'c'),
    conflict('retracted', 'con_1'),
    event('document.processed', 'b', 1),
    event('document.processed', 'a', 2),
    event('document.superseded', 'a', 1),
    conflict('detected', 'con_2'),
  ].map((one, n) => ({ ...one, id: n + 1 }));
  const books: Books = {
    scopes: [scope],
    events,
    rows: new Map([['ten_a s', 3]]),
    readings: new Map([['ten_a s', 2]]),
    groups: [{ place: 'ten_a s', counted: [2, 1, 1], there: [2, 1, 1] }],
    streamed: events.map(({ id }) => id),
  };
  return { changing, scope, books };
}

type Clean = ReturnType<typeof clean>;
const judge = ({ books, changing }: Clean) => settle([], books, [changing]);

/** Takes an event out of the log, or has it twice; the stream says the same. */
function events({ books }: Clean, change: (events: LoggedEvent[]) => LoggedEvent[]): void {
  books.events = change(books.events).map((event, n) => ({ ...event, id: n + 1 }));
  books.streamed = books.events.map(({ id }) => id);
}

const without = (type: string, of: string | null) => (all: LoggedEvent[]) =>
  all.filter((event) => event.type !== type || (event.documentId ?? event.contradictionId) !== of);

it('has nothing against clean books', () => {
  expect(judge(clean()).toString()).toBe('');
});

describe('objects to', () => {
  const set = (made: Clean, index: number, change: Partial<StoredDocument>) =>
    void Object.assign(made.scope.documents[index] as StoredDocument, change);

  it.each<[string, Objection, (made: Clean) => void]>([
    ['a version that is not there', 'lost', ({ scope }) => void scope.documents.pop()],
    ['a whole scope that is not there', 'lost', ({ books }) => void books.scopes.pop()],
    [
      'a deleted document that is there',
      'phantom',
      ({ scope }) => void scope.documents.push({ ...(scope.documents[1] as StoredDocument), document_id: 'c', seq: 2 }),
    ],
    [
      'what was there before a reset',
      'phantom',
      ({ scope }) => void scope.documents.push({ ...(scope.documents[1] as StoredDocument), document_id: 'x', seq: 4 }),
    ],
    ['a version with the text of another', 'phantom', (made) => set(made, 2, { name: 'draft 0' })],
    [
      'a version that is there twice',
      'duplicated',
      ({ scope }) => void scope.documents.push(scope.documents[1] as StoredDocument),
    ],
    ['a version at another number', 'gaps', (made) => set(made, 2, { seq: 4 })],
    [
      'a number that was given twice',
      'gaps',
      ({ changing }) => {
        (changing.lives[2] as Life).versions[0] = { ...(changing.lives[2] as Life).versions[0], seq: 1 } as never;
      },
    ],
    ['an older version that is not superseded', 'stuck', (made) => set(made, 0, { state: 'processed' })],
    ['a newest version that is not processed', 'stuck', (made) => set(made, 2, { state: 'queued' })],
    ['what was only stored and never queued', 'stuck', (made) => set(made, 1, { state: 'pending' })],
    ['a superseding that nobody was told of', 'events', (made) => events(made, without('document.superseded', 'a'))],
    ['a deletion that nobody was told of', 'events', (made) => events(made, without('document.deleted', 'c'))],
    ['a reset that nobody was told of', 'events', (made) => events(made, without('scope.reset', null))],
    [
      'an accepted document that nobody was told of',
      'events',
      (made) => events(made, without('document.accepted', 'b')),
    ],
    [
      'an event of what was there before a reset',
      'events',
      (made) => events(made, (all) => [...all, all.find(({ documentId }) => documentId === 'x') as LoggedEvent]),
    ],
    [
      'an event that is doubled',
      'events',
      (made) => events(made, (all) => [...all, all.find(({ type }) => type === 'document.superseded') as LoggedEvent]),
    ],
    [
      'an event of a version that nobody sent',
      'events',
      (made) => events(made, (all) => [...all, { ...(all[5] as LoggedEvent), version: 3 }]),
    ],
    [
      'a retraction that nobody was told of',
      'events',
      (made) => events(made, without('contradiction.retracted', 'con_1')),
    ],
    [
      'a contradiction that was not retracted',
      'contradictions',
      ({ scope }) => void scope.contradictions.push({ id: 'con_1', document_ids: ['c', 'b'] }),
    ],
    ['a contradiction that was not found', 'contradictions', ({ scope }) => void scope.contradictions.pop()],
    ['the reading of a superseded version', 'claims', ({ books }) => void books.readings.set('ten_a s', 3)],
    [
      'a counter that is off',
      'counters',
      ({ scope }) => {
        scope.summary.documents.superseded = 2;
      },
    ],
  ])('%s: %s', (_, objection, spoil) => {
    const made = clean();
    spoil(made);
    expect(judge(made).counts[objection]).toBeGreaterThan(0);
  });
});
