/**
 * Scopes that somebody else has locked for longer than a flush waits, and those to which something large is sent. What they
 * get waits apart and in order, and is tried on connections of its own, so that nobody else waits for it.
 */
import { takeFrom } from './lines.ts';
import { NameCounts } from './name-counts.ts';
import type { Waiting } from './waiting.ts';

/** So many are tried at once, each on a connection. */
const HELD_AT_ONCE = 3;
/** So many of them may be locked, for which a try waits: then what is only large does not wait for those. */
const LOCKED_AT_ONCE = 2;
/** How long one is tried before another has its turn. */
export const HELD_PATIENCE_MS = 1000;

export interface HeldScope {
  name: string;
  tenantId: string;
  entries: Waiting[];
  /** Those of a try that is under way. */
  inFlight: Waiting[];
  /** Its last try has found it locked. */
  isLocked: boolean;
}

export class HeldScopes {
  /** Of each tenant the one that was tried longest ago stands first. */
  readonly #scopes = new Map<string, HeldScope>();
  /** Tenants with such scopes that were tried, the one whose turn was longest ago first. */
  readonly #tried = new Set<string>();
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
      this.#scopes.set(name, { name, tenantId, entries: [entry], inFlight: [], isLocked: false });
    }
  }

  /** All that wait here or are being tried. */
  *entries(): Iterable<Waiting> {
    for (const { entries, inFlight } of this.#scopes.values()) {
      yield* inFlight;
      yield* entries;
    }
  }

  /** Begins to try one of the tenant whose turn was longest ago and that has none under way; its batch is in flight then. */
  begin(): HeldScope | null {
    const underWay = [...this.#scopes.values()].filter(({ inFlight }) => inFlight.length > 0);
    if (underWay.length >= HELD_AT_ONCE) return null;
    const mayBeLocked = underWay.filter(({ isLocked }) => isLocked).length < LOCKED_AT_ONCE;
    const isBusy = new Set(underWay.map(({ tenantId }) => tenantId));
    const turns = new Map([...this.#tried].map((tenantId, turn) => [tenantId, turn]));
    // One that was never tried goes before all others.
    const turnOf = ({ tenantId }: HeldScope) => turns.get(tenantId) ?? -1;
    let next: HeldScope | null = null;
    for (const scope of this.#scopes.values()) {
      if (isBusy.has(scope.tenantId) || (scope.isLocked && !mayBeLocked)) continue;
      if (!next || turnOf(scope) < turnOf(next)) next = scope;
    }
    if (!next) return null;
    this.#tried.delete(next.tenantId);
    this.#tried.add(next.tenantId);
    const { batch, left } = takeFrom(next.entries);
    next.inFlight = batch;
    next.entries = left;
    return next;
  }

  /** Ends a try: what is still locked stays in its place, and the scope goes to the end of the line. */
  end(scope: HeldScope, locked: Waiting[]): void {
    for (const { names } of scope.inFlight) this.#names.remove(names);
    for (const { names } of locked) this.#names.add(names);
    scope.entries.unshift(...locked);
    scope.inFlight = [];
    scope.isLocked = locked.length > 0;
    this.#scopes.delete(scope.name);
    if (scope.entries.length > 0) this.#scopes.set(scope.name, scope);
    this.#forgetIfDone(scope.tenantId);
  }

  /** Takes out those that wait, are not being tried, and of which `isOut` says so. */
  remove(isOut: (entry: Waiting) => boolean): void {
    for (const scope of this.#scopes.values()) {
      scope.entries = scope.entries.filter((entry) => {
        const goes = isOut(entry);
        if (goes) this.#names.remove(entry.names);
        return !goes;
      });
      if (scope.entries.length + scope.inFlight.length > 0) continue;
      this.#scopes.delete(scope.name);
      this.#forgetIfDone(scope.tenantId);
    }
  }

  #forgetIfDone(tenant: string): void {
    for (const { tenantId } of this.#scopes.values()) if (tenantId === tenant) return;
    this.#tried.delete(tenant);
  }
}
