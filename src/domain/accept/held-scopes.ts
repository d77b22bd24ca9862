/**
 * Scopes that somebody else has locked for longer than a flush waits, and those to which something large is sent. What they
 * get waits apart and in order, and is tried on connections of its own, so that nobody else waits for it.
 */
import { takeFrom } from './lines.ts';
import { NameCounts } from './name-counts.ts';
import type { Waiting } from './waiting.ts';

/** So many are tried at once, each on a connection. */
const HELD_AT_ONCE = 3;
/** How long one is tried before another has its turn. */
export const HELD_PATIENCE_MS = 1000;

export interface HeldScope {
  name: string;
  tenantId: string;
  entries: Waiting[];
  /** Those of a try that is under way. */
  inFlight: Waiting[];
}

export class HeldScopes {
  /** The one that was tried longest ago stands first. */
  readonly #scopes = new Map<string, HeldScope>();
  /** Of all that wait here or are being tried. */
  readonly #names = new NameCounts();

  has(scope: string): boolean {
    return this.#scopes.has(scope);
  }

  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  add(entry: Waiting): void {
    this.#names.add(entry.names);
    const scope = this.#scopes.get(entry.scope);
    if (scope) scope.entries.push(entry);
    else {
      const { tenantId, scope: name } = entry;
      this.#scopes.set(name, { name, tenantId, entries: [entry], inFlight: [] });
    }
  }

  /** All that wait here or are being tried. */
  *entries(): Iterable<Waiting> {
    for (const { entries, inFlight } of this.#scopes.values()) {
      yield* inFlight;
      yield* entries;
    }
  }

  /** Begins to try one, if there is one whose tenant has none under way; its batch is in flight then. */
  begin(): HeldScope | null {
    const underWay = [...this.#scopes.values()].filter(({ inFlight }) => inFlight.length > 0);
    if (underWay.length >= HELD_AT_ONCE) return null;
    for (const scope of this.#scopes.values()) {
      if (underWay.some(({ tenantId }) => tenantId === scope.tenantId)) continue;
      const { batch, left } = takeFrom(scope.entries);
      scope.inFlight = batch;
      scope.entries = left;
      return scope;
    }
    return null;
  }

  /** Ends a try: what is still locked stays in its place, and the scope goes to the end of the line. */
  end(scope: HeldScope, locked: Waiting[]): void {
    for (const { names } of scope.inFlight) this.#names.remove(names);
    for (const { names } of locked) this.#names.add(names);
    scope.entries.unshift(...locked);
    scope.inFlight = [];
    this.#scopes.delete(scope.name);
    if (scope.entries.length > 0) this.#scopes.set(scope.name, scope);
  }

  /** Takes out those that wait, are not being tried, and of which `isOut` says so. */
  remove(isOut: (entry: Waiting) => boolean): void {
    for (const scope of this.#scopes.values()) {
      scope.entries = scope.entries.filter((entry) => {
        const goes = isOut(entry);
        if (goes) this.#names.remove(entry.names);
        return !goes;
      });
      if (scope.entries.length + scope.inFlight.length === 0) this.#scopes.delete(scope.name);
    }
  }
}
