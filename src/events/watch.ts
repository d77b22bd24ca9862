/** Tells those who wait what happens to documents, as the tail reads it: by scope, and in it by what they wait for. */
import type { EventEnvelope } from '../contract/events.ts';
import { laneOf } from './frames.ts';

/** What can be waited for in a scope: that a version is done, that a seq is given, that a document is deleted. */
export const done = (seq: number) => `done ${seq}`;
export const given = (seq: number) => `given ${seq}`;
export const deleted = (documentId: string) => `deleted ${documentId}`;

const TOLD: Record<string, (payload: EventEnvelope['payload']) => string> = {
  'document.accepted': ({ seq }) => given(seq as number),
  'document.queued': ({ seq }) => given(seq as number),
  'document.processed': ({ seq }) => done(seq as number),
  'document.failed': ({ seq }) => done(seq as number),
  'document.superseded': ({ seq }) => done(seq as number),
  'document.deleted': ({ document_id }) => deleted(document_id as string),
};
/** After these nothing in the scope is as it was. */
const ENDS = new Set(['scope.reset', 'scope.deleted']);
/** What was heard last is known for those who read meanwhile; who misses more than this has to read again. */
const MAX_HEARD = 50;

export class WatchedScope {
  readonly #bells = new Map<string, Set<() => void>>();
  /** When each was last heard, the oldest first. */
  readonly #heard = new Map<string, number>();
  #forgotten = 0;
  #now = 0;

  /** What is heard from here on is later. */
  get now(): number {
    return this.#now;
  }

  /** Rings when one of these is heard, and at once if one may have been since then. To end it, call what is returned. */
  listen(wanted: string[], since: number, ring: () => void): () => void {
    for (const what of wanted) this.#bells.set(what, (this.#bells.get(what) ?? new Set()).add(ring));
    if (since < this.#forgotten || wanted.some((what) => (this.#heard.get(what) ?? 0) > since)) ring();
    return () => {
      for (const what of wanted) {
        const bells = this.#bells.get(what);
        bells?.delete(ring);
        if (bells?.size === 0) this.#bells.delete(what);
      }
    };
  }

  tell(what: string): void {
    this.#heard.delete(what);
    this.#heard.set(what, ++this.#now);
    if (this.#heard.size > MAX_HEARD) this.#forgetOldest();
    for (const ring of this.#bells.get(what) ?? []) ring();
  }

  tellAll(): void {
    this.#forgotten = ++this.#now;
    for (const bells of this.#bells.values()) for (const ring of bells) ring();
  }

  #forgetOldest(): void {
    for (const [what, at] of this.#heard) {
      this.#heard.delete(what);
      this.#forgotten = Math.max(this.#forgotten, at);
      return;
    }
  }
}

export class Watch {
  readonly #scopes = new Map<string, { scope: WatchedScope; watchers: number }>();
  readonly #onHeard: () => void;

  /** `onHeard` is told when somebody has come and nobody was there. */
  constructor(onHeard: () => void) {
    this.#onHeard = onHeard;
  }

  get isHeard(): boolean {
    return this.#scopes.size > 0;
  }

  /** From now on, what happens in the scope is heard. To end it, call `leave`. */
  enter(tenantId: string, scopeId: string): { scope: WatchedScope; leave: () => void } {
    const lane = laneOf(tenantId, scopeId);
    const isFirst = !this.isHeard;
    const watched = this.#scopes.get(lane) ?? { scope: new WatchedScope(), watchers: 0 };
    watched.watchers++;
    this.#scopes.set(lane, watched);
    if (isFirst) this.#onHeard();
    return {
      scope: watched.scope,
      leave: () => {
        watched.watchers--;
        if (watched.watchers === 0) this.#scopes.delete(lane);
      },
    };
  }

  publish(events: EventEnvelope[]): void {
    if (!this.isHeard) return;
    for (const { type, tenant_id, scope_id, payload } of events) {
      if (tenant_id === null) continue;
      if (type === 'tenant.deleted') this.#tellAllOf(tenant_id);
      if (scope_id === null) continue;
      const scope = this.#scopes.get(laneOf(tenant_id, scope_id))?.scope;
      if (ENDS.has(type)) scope?.tellAll();
      else if (scope && Object.hasOwn(TOLD, type)) scope.tell(TOLD[type]?.(payload) as string);
    }
  }

  #tellAllOf(tenantId: string): void {
    for (const [lane, { scope }] of this.#scopes) if (lane.startsWith(laneOf(tenantId, ''))) scope.tellAll();
  }
}
