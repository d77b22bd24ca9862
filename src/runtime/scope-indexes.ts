/** The indexes of the scopes that were worked on last, each brought up to date before it is used. */
import type { Queryable } from '../domain/database.ts';
import { ScopeIndex } from '../domain/settle/scope-index.ts';
import type { TakenLane } from '../storage/lanes.ts';
import { listReadingsSince, type ReadingsSince, type ScopeHead } from '../storage/readings.ts';
import { Recent } from './recent.ts';

/** What an index takes for each key, and beside them: measured, with 100 sentences in a scope. */
const KEY_BYTES = 62;
const INDEX_BYTES = 3000;
/** Of what is read at once of a scope, and held against it: some 20 ms. */
const PAGE_KEYS = 20_000;
/** So many of a scope may stay in memory, however many others are there: to read these again takes as long as to file a few documents. */
const LEAST_KEYS = 4000;
/** For so long less of a scope stays in memory that had to be read again. */
const LESS_MS = 600_000;
/** So many scopes are remembered that were crowded out. */
const MAX_CROWDED_OUT = 10_000;

interface Behind {
  scope_key: string;
  index: ScopeIndex;
  /** The revision that the index has all of; -1 when it has nothing. */
  known: number;
}

/** A scope as it was when its revision was read. */
export interface OpenScope {
  head: ScopeHead;
  index: ScopeIndex;
}

export class ScopeIndexes {
  readonly #kept: Recent<string, ScopeIndex>;
  /** The scopes whose indexes were there before there was no more room for them. */
  readonly #crowdedOut = new Recent<string, true>(MAX_CROWDED_OUT);
  /** A hit is one that is up to date, and a miss one for which readings are asked for. */
  readonly counts = { hits: 0, misses: 0 };

  constructor(memoryMb: number) {
    this.#kept = new Recent(memoryMb * 2 ** 20, (scopeKey) => this.#crowdedOut.put(scopeKey, true, 1));
  }

  /** For each lane, in order, as of when it was taken, or as it is now; undefined for a scope that is gone, or was reset. */
  async open(
    db: Queryable,
    lanes: Pick<TakenLane, 'scope_key' | 'generation' | 'head'>[],
    { asItIsNow }: { asItIsNow: boolean },
  ): Promise<(OpenScope | undefined)[]> {
    const opened = lanes.map(({ scope_key, generation, head }) => {
      const kept = this.#kept.get(scope_key);
      const index = kept?.generation === generation ? kept : new ScopeIndex(generation);
      return { scope_key, head, index, known: index === kept ? index.revision : -1 };
    });
    // Nothing was ever settled in a scope of the first revision.
    const behind = opened.filter(({ head, known }) => asItIsNow || (known !== head.revision && head.revision > 0));
    this.counts.hits += opened.length - behind.length;
    this.counts.misses += behind.length;
    // Another turn, which has a lane once the lease of this one is lost, would have it changed in its hands by what is older.
    for (const { scope_key } of behind) this.drop(scope_key);
    const asked = behind.map(({ scope_key, known }) => ({ scope_key, known, after: -1 }));
    const found = await listReadingsSince(db, asked, PAGE_KEYS);
    const first = new Map(found.map((page) => [page.head.scope_key, page] as const));
    const isBehind = new Set(behind);
    const open: (OpenScope | undefined)[] = [];
    for (const scope of opened) {
      if (!isBehind.has(scope)) open.push(this.#upToDate(scope.index, scope.head));
      else open.push(await this.#catchUp(db, scope, first.get(scope.scope_key)));
    }
    return open;
  }

  /** After its index has changed, or was used. */
  keep(scopeKey: string, index: ScopeIndex): void {
    this.#crowdedOut.drop(scopeKey);
    this.#kept.put(scopeKey, index, bytesOf(index));
  }

  drop(scopeKey: string): void {
    this.#kept.drop(scopeKey);
  }

  /**
   * Page by page, so that whoever asks something of this process waits for a page at most. While they were read, the scope may have
   * changed: what is newer than the first of them is read once more, until it is one page.
   */
  async #catchUp(db: Queryable, behind: Behind, first: ReadingsSince | undefined): Promise<OpenScope | undefined> {
    let { index, known } = behind;
    let page = first;
    let begun = page?.head;
    let after = -1;
    let isNew = known < 0;
    while (page && begun && page.head.generation === index.generation) {
      if (page.restart && known >= 0) {
        index = new ScopeIndex(index.generation);
        known = -1;
        isNew = true;
      }
      if (page.left) index.keepOnly(page.left);
      for (const reading of page.readings) index.add(reading);
      if (!page.goes_on && after < 0) {
        // To read all of it again and again would cost more than to file some of it.
        if (isNew && this.#crowdedOut.get(behind.scope_key)) index.keepLess(Math.max(LEAST_KEYS, index.size / 2));
        return this.#upToDate(index, page.head);
      }
      after = page.goes_on ? (page.readings.at(-1)?.seq ?? after) : -1;
      if (after < 0) known = begun.revision;
      [page] = await listReadingsSince(db, [{ scope_key: behind.scope_key, known, after }], PAGE_KEYS);
      if (after < 0) begun = page?.head;
    }
    return undefined;
  }

  #upToDate(index: ScopeIndex, head: ScopeHead): OpenScope {
    index.fileUpTo(head);
    index.revision = head.revision;
    if (performance.now() - index.keepsLessSince > LESS_MS) index.keepAll();
    this.keep(head.scope_key, index);
    return { head, index };
  }
}

const bytesOf = ({ size }: ScopeIndex) => INDEX_BYTES + KEY_BYTES * size;
