/** The indexes of the scopes that were worked on last, each brought up to date before it is used. */
import type { Queryable } from '../domain/database.ts';
import { ScopeIndex } from '../domain/settle/scope-index.ts';
import type { TakenLane } from '../storage/lanes.ts';
import { listUnfiledReadings, type ScopeHead } from '../storage/readings.ts';
import { Recent } from './recent.ts';

/** What an index takes for each key, and beside them: measured, with 100 sentences in a scope. */
const KEY_BYTES = 62;
const INDEX_BYTES = 3000;

/** A scope as it was when its revision was read. */
export interface OpenScope {
  head: ScopeHead;
  index: ScopeIndex;
}

export class ScopeIndexes {
  readonly #kept: Recent<string, ScopeIndex>;
  /** A hit is one that is up to date, and a miss one for which readings are asked for. */
  readonly counts = { hits: 0, misses: 0 };

  constructor(memoryMb: number) {
    this.#kept = new Recent(memoryMb * 2 ** 20);
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
    const loaded = new Map((await listUnfiledReadings(db, behind)).map((one) => [one.head.scope_key, one] as const));
    const isBehind = new Set(behind);
    return opened.map((scope) => {
      if (!isBehind.has(scope)) return this.#catchUp(scope.index, scope.head, []);
      const found = loaded.get(scope.scope_key);
      if (!found || found.head.generation !== scope.index.generation) return undefined;
      const index = found.is_whole ? new ScopeIndex(scope.index.generation) : scope.index;
      return this.#catchUp(index, found.head, found.readings);
    });
  }

  /** After its index has changed, or was used. */
  keep(scopeKey: string, index: ScopeIndex): void {
    this.#kept.put(scopeKey, index, INDEX_BYTES + KEY_BYTES * index.size);
  }

  drop(scopeKey: string): void {
    this.#kept.drop(scopeKey);
  }

  #catchUp(index: ScopeIndex, head: ScopeHead, readings: Parameters<ScopeIndex['add']>[0][]): OpenScope {
    for (const reading of readings) index.add(reading);
    index.fileUpTo(head.filed_up_to);
    index.revision = head.revision;
    this.keep(head.scope_key, index);
    return { head, index };
  }
}
