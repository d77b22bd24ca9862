/** The export of a scope, a page at a time: each is read when it is asked for, in a short statement, and nothing is kept between two. */
import type { ExportPart } from '../../contract/export.ts';
import { AppError, invalid, notFound } from '../../errors.ts';
import { giveWay } from '../../give-way.ts';
import { listContradictions } from '../../storage/contradiction-lists.ts';
import type { Queryable } from '../../storage/database.ts';
import * as storage from '../../storage/exported.ts';
import { claimsOf } from '../document-claims.ts';
import { listFactsAfter } from '../facts.ts';
import { MAX_PLACES } from '../settle/places.ts';
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

/** Rows to look at for a page: so many that the statement's own cost is nothing beside theirs. */
const ROWS = { documents: 2000, claims: 500, facts: 500, contradictions: 500 };
/** As it is stored. Escapes may make six times as much of a text; claims repeat the sentences that they share. */
const BYTES = { documents: 1_000_000, claims: 250_000 };
/** Claims of one document that are shown without giving way: a millisecond or two. */
const CLAIMS_AT_ONCE = 100;

export interface ExportWishes {
  include?: string;
  cursor?: string;
}

type Counted = Exclude<ExportPart, 'texts'>;

/** Some lines, each with its newline. Where much was skipped there may be none. */
export interface Page {
  lines: string;
  count: number;
  /** From where to go on behind them. */
  cursor: string;
}

/** Throws when the scope is not there, or the cursor is not of it. Smaller pages are for who wants to see what happens between two. */
export async function beginExport(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  { include, cursor }: ExportWishes,
  rows = ROWS,
): Promise<ScopeExport> {
  const resumed = decodePlace(cursor);
  const wanted = readParts(include);
  const scope = await storage.findExportedScope(db, tenantId, scopeId);
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
  readonly #db: Queryable;
  readonly #scope: storage.ExportedScope;
  readonly #parts: Parts;
  readonly #start: Start;
  readonly #rows: typeof ROWS;
  #place: Place | null;
  readonly #counts: Record<Counted, number> = { documents: 0, claims: 0, facts: 0, contradictions: 0 };

  constructor(db: Queryable, scope: storage.ExportedScope, from: ExportCursor, rows: typeof ROWS) {
    this.#db = db;
    this.#scope = scope;
    this.#parts = from.parts;
    this.#start = from.start;
    this.#place = from.place;
    this.#rows = rows;
  }

  /** Null after the last page. Throws when the scope is gone. */
  async next(): Promise<Page | null> {
    for (let place = this.#place; place; place = this.#place) {
      const page = await this.#read(place);
      if (!page) continue;
      this.#counts[page.part] += page.count;
      const cursor = encodePlace(this.#scope, { parts: this.#parts, start: this.#start, place: this.#place ?? LAST });
      return { lines: page.lines, count: page.count, cursor };
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
  async #read(place: Place): Promise<{ part: Counted; lines: string; count: number } | null> {
    if (place.section === 'documents') return this.#readDocuments(place);
    if (place.section === 'facts') return this.#readFacts(place.group);
    return this.#readContradictions(place);
  }

  /** The claims of some documents come right behind these. */
  async #readDocuments({ documents, claims }: Extract<Place, { section: 'documents' }>) {
    const last = this.#start.next_seq;
    const isBehind = this.#parts.has('claims') && claims < documents;
    if (isBehind) {
      const { lines, count, next } = await this.#listClaims(claims, documents);
      this.#place = { section: 'documents', documents, claims: next ?? documents };
      return { part: 'claims' as const, lines, count };
    }
    if (documents >= last || !this.#parts.has('documents')) {
      const isDone = documents >= last || !this.#parts.has('claims');
      this.#place = isDone ? { section: 'facts', group: -1 } : { section: 'documents', documents: last, claims };
      return null;
    }
    const options = { withTexts: this.#parts.has('texts'), bytes: BYTES.documents };
    const range = { from: documents, to: last, start: last, limit: this.#rows.documents };
    const found = await storage.listExportedDocuments(this.#db, this.#scope, range, options);
    if (!found) throw this.#gone();
    this.#place = { section: 'documents', documents: found.next ?? last, claims };
    return { part: 'documents' as const, lines: found.lines, count: found.count };
  }

  async #listClaims(from: number, to: number) {
    const range = { from, to, start: this.#start.next_seq, limit: this.#rows.claims };
    const options = { bytes: BYTES.claims, most: MAX_PLACES.ofDocument };
    const found = await storage.listExportedReadings(this.#db, this.#scope, range, options);
    if (!found) throw this.#gone();
    const lines: string[] = [];
    for (const { disputes, document_id, version, ...reading } of found.readings) {
      await giveWay();
      const { placed, show } = claimsOf(reading, disputes);
      for (const [nth, claim] of placed.entries()) {
        if (nth > 0 && nth % CLAIMS_AT_ONCE === 0) await giveWay();
        lines.push(toLine({ kind: 'claim', document_id, version, ...show(claim) }));
      }
    }
    return { lines: lines.join(''), count: lines.length, next: found.next };
  }

  async #readFacts(group: number) {
    if (!this.#parts.has('facts')) {
      this.#place = await this.#beginContradictions();
      return null;
    }
    const { facts, upTo } = await listFactsAfter(this.#db, this.#scope, group, this.#rows.facts);
    await this.#findAgain();
    this.#place = upTo === null ? await this.#beginContradictions() : { section: 'facts', group: upTo };
    return { part: 'facts' as const, ...linesOf('fact', facts) };
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
    return { part: 'contradictions' as const, ...linesOf('contradiction', shown) };
  }

  /** What was read before that is of the scope as it is. */
  async #findAgain(): Promise<storage.ExportedScope> {
    const { tenant_id, scope_id } = this.#scope;
    const found = await storage.findExportedScope(this.#db, tenant_id, scope_id);
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

function linesOf(kind: string, items: object[]) {
  return { lines: items.map((item) => toLine({ kind, ...item })).join(''), count: items.length };
}

const toLine = (line: object) => `${JSON.stringify(line)}\n`;
