/** The export of a scope, a page at a time: each is read when it is asked for, in short statements, and no snapshot is kept. */
import type { ExportPart } from '../../contract/export.ts';
import { AppError, invalid, notFound } from '../../errors.ts';
import { giveWay } from '../../give-way.ts';
import { ndjsonLine } from '../../ndjson.ts';
import { listContradictions } from '../../storage/contradiction-lists.ts';
import type { Copyable, Queryable } from '../../storage/database.ts';
import { type ExportedScope, findExportedScope } from '../../storage/exported.ts';
import { listExportedDocuments } from '../../storage/exported-documents.ts';
import { type ExportedReading, type ExportedReadings, listExportedReadings } from '../../storage/exported-readings.ts';
import { claimsOf } from '../document-claims.ts';
import { listFactsAfter } from '../facts.ts';
import { MAX_PLACES } from '../settle/places.ts';
import { LINES_AT_ONCE, type Written, writeDocuments } from './document-lines.ts';
import {
  BEGINNING,
  decodePlace,
  type ExportCursor,
  encodePlace,
  type Parts,
  type Place,
  readParts,
  type Start,
  tagOf,
} from './place.ts';

/** Rows to look at for a page: so many that the statement's own cost is little beside theirs, and that to read them is no long work. */
const ROWS = { documents: 2000, claims: 500, facts: 500, contradictions: 500 };
/** Where documents are large, a page has few of them: then not many more than these are looked at. */
const FEWEST_ROWS = 50;
/** As it is stored. Escapes may make six times as much of a text; claims repeat the sentences that they share. */
const BYTES = { documents: 1_000_000, claims: 250_000 };

export interface ExportWishes {
  include?: string;
  cursor?: string;
}

type Counted = Exclude<ExportPart, 'texts'>;

interface Read {
  part: Counted;
  write(): Promise<Written>;
}

/** What was read, and can be written once. The next page may be read before this one is written. */
export interface Page {
  write(): Promise<Written>;
  /** From where to go on behind it. */
  cursor: string;
  /** It is not to be written, since it is too old by now: the next one is the same, read again. */
  leave(): void;
}

/** Throws when the scope is not there, or the cursor is not of it. Smaller pages are for who wants to see what happens between two. */
export async function beginExport(
  db: Queryable & Copyable,
  tenantId: string,
  scopeId: string,
  { include, cursor }: ExportWishes,
  rows = ROWS,
): Promise<ScopeExport> {
  const resumed = decodePlace(cursor);
  const wanted = readParts(include);
  const scope = await findExportedScope(db, tenantId, scopeId);
  if (!scope) throw notFound(`Scope ${scopeId}`);
  if (resumed && resumed.tag !== tagOf(scope)) throw ofAnother(scopeId);
  if (resumed && include !== undefined && wanted.symmetricDifference(resumed.parts).size > 0)
    throw invalid('query/include', 'must be that of the export that the cursor is of; leave it out');
  return new ScopeExport(db, scope, resumed ?? { parts: wanted, start: scope, place: BEGINNING }, rows);
}

function ofAnother(scopeId: string): AppError {
  const detail = `The cursor is not of scope ${scopeId} as it is: it was reset or made again, or another was exported. Begin again without a cursor.`;
  return new AppError('conflict', detail);
}

export class ScopeExport {
  readonly #db: Queryable & Copyable;
  readonly #scope: ExportedScope;
  readonly #parts: Parts;
  readonly #start: Start;
  readonly #rows: typeof ROWS;
  /** Of documents, for the next page. */
  #limit: number;
  #place: Place | null;
  readonly #counts: Record<Counted, number> = { documents: 0, claims: 0, facts: 0, contradictions: 0 };

  constructor(db: Queryable & Copyable, scope: ExportedScope, from: ExportCursor, rows: typeof ROWS) {
    this.#db = db;
    this.#scope = scope;
    this.#parts = from.parts;
    this.#start = from.start;
    this.#place = from.place;
    this.#rows = rows;
    this.#limit = rows.documents;
  }

  /** Null after the last page. Throws when the scope is gone. */
  async next(): Promise<Page | null> {
    const before = this.#place;
    const leave = () => {
      this.#place = before;
    };
    for (let place = this.#place; place; place = this.#place) {
      let read = await this.#read(place);
      if (!read) continue;
      const cursor = encodePlace(this.#scope, { parts: this.#parts, start: this.#start, place: this.#place ?? LAST });
      const write = async () => {
        // It is not kept for as long as somebody knows the page: as lines it is in memory already.
        const its = read as Read;
        read = null;
        const written = await its.write();
        this.#counts[its.part] += written.count;
        return written;
      };
      return { write, cursor, leave };
    }
    return null;
  }

  /** What there is to say when all is written. */
  async end() {
    const { revision, next_seq, reported } = await this.#findAgain();
    const start = this.#start;
    const changed = revision !== start.revision || next_seq !== start.next_seq || reported !== start.reported;
    return { counts: this.#counts, revision: { start: start.revision, end: revision }, changed };
  }

  /** Moves the place on; null where there was nothing to read, and the next section begins. */
  async #read(place: Place): Promise<Read | null> {
    if (place.section === 'documents') return this.#readDocuments(place);
    if (place.section === 'facts') return this.#readFacts(place.group);
    return this.#readContradictions(place);
  }

  /** The claims of some documents come right behind these. */
  async #readDocuments({ documents, claims }: Extract<Place, { section: 'documents' }>) {
    const last = this.#start.next_seq;
    const isBehind = this.#parts.has('claims') && claims < documents;
    if (isBehind) {
      const { readings, next } = await this.#listReadings(claims, documents);
      this.#place = { section: 'documents', documents, claims: next ?? documents };
      return { part: 'claims' as const, write: () => writeClaims(readings) };
    }
    if (documents >= last || !this.#parts.has('documents')) {
      const isDone = documents >= last || !this.#parts.has('claims');
      this.#place = isDone ? { section: 'facts', group: -1 } : { section: 'documents', documents: last, claims };
      return null;
    }
    const options = { withTexts: this.#parts.has('texts'), bytes: BYTES.documents };
    const range = { from: documents, to: last, start: last, limit: this.#limit };
    const found = await listExportedDocuments(this.#db, this.#scope, range, options);
    if (!found) throw this.#gone();
    this.#place = { section: 'documents', documents: found.next ?? last, claims };
    this.#limit = Math.min(this.#rows.documents, Math.max(FEWEST_ROWS, 2 * found.looked));
    return { part: 'documents' as const, write: () => writeDocuments(this.#scope.scope_id, found.documents) };
  }

  async #listReadings(from: number, to: number): Promise<ExportedReadings> {
    const range = { from, to, start: this.#start.next_seq, limit: this.#rows.claims };
    const options = { bytes: BYTES.claims, most: MAX_PLACES.ofDocument };
    const found = await listExportedReadings(this.#db, this.#scope, range, options);
    if (!found) throw this.#gone();
    return found;
  }

  async #readFacts(group: number) {
    if (!this.#parts.has('facts')) {
      this.#place = await this.#beginContradictions();
      return null;
    }
    const { facts, upTo } = await listFactsAfter(this.#db, this.#scope, group, this.#rows.facts);
    await this.#findAgain();
    this.#place = upTo === null ? await this.#beginContradictions() : { section: 'facts', group: upTo };
    return { part: 'facts' as const, write: async () => linesOf('fact', facts) };
  }

  /** Null without any. */
  async #beginContradictions(): Promise<Place | null> {
    if (!this.#parts.has('contradictions')) return null;
    const newest = { after: BEHIND_ALL, isNewestFirst: true, limit: 1 };
    const [last] = await listContradictions(this.#db, this.#scope, {}, newest);
    await this.#findAgain();
    return last ? { section: 'contradictions', after: '0', upTo: last.ordinal } : null;
  }

  async #readContradictions({ after, upTo }: Extract<Place, { section: 'contradictions' }>) {
    const page = { after, isNewestFirst: false, limit: this.#rows.contradictions + 1 };
    const rows = (await listContradictions(this.#db, this.#scope, {}, page)).slice(0, this.#rows.contradictions);
    await this.#findAgain();
    const wanted = rows.filter(({ ordinal }) => BigInt(ordinal) <= BigInt(upTo));
    const last = wanted.at(-1);
    const goesOn = last?.goes_on && BigInt(last.ordinal) < BigInt(upTo);
    this.#place = goesOn ? { section: 'contradictions', after: last.ordinal, upTo } : null;
    const shown = wanted.map(({ id, ordinal: _ordinal, goes_on: _goesOn, is_wanted: _isWanted, ...rest }) => {
      return { id, scope_id: this.#scope.scope_id, ...rest };
    });
    return { part: 'contradictions' as const, write: async () => linesOf('contradiction', shown) };
  }

  /** What was read before that is of the scope as it is. */
  async #findAgain(): Promise<ExportedScope> {
    const { tenant_id, scope_id } = this.#scope;
    const found = await findExportedScope(this.#db, tenant_id, scope_id);
    if (!found || tagOf(found) !== tagOf(this.#scope)) throw this.#gone();
    return found;
  }

  #gone(): AppError {
    return new AppError('not_found', `Scope ${this.#scope.scope_id} was deleted or reset while it was exported.`);
  }
}

/** The highest number that Postgres has for one. */
const BEHIND_ALL = '9223372036854775807';
/** Behind everything: who goes on from here gets the end. */
const LAST: Place = { section: 'contradictions', after: '0', upTo: '0' };

async function writeClaims(readings: ExportedReading[]): Promise<Written> {
  const lines: string[] = [];
  for (const { disputes, document_id, version, ...reading } of readings) {
    await giveWay();
    const { placed, show } = claimsOf(reading, disputes);
    for (const [nth, claim] of placed.entries()) {
      if (nth > 0 && nth % LINES_AT_ONCE === 0) await giveWay();
      lines.push(ndjsonLine({ kind: 'claim', document_id, version, ...show(claim) }));
    }
  }
  return written(lines);
}

function linesOf(kind: string, items: object[]): Written {
  return written(items.map((item) => ndjsonLine({ kind, ...item })));
}

const written = (lines: string[]): Written => ({ lines: Buffer.from(lines.join('')), count: lines.length });
