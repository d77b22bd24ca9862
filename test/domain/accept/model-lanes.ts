/** The model's lanes, and the turns that workers have at them. */
import type { Scope, State, Version } from './model.ts';

export interface Lane {
  /** A lease that ran out is remembered until somebody takes the lane. */
  lease: 'none' | 'live' | 'over';
  /** Since when it may be taken, if it may. */
  ready: number | null;
  /** The turn that it is or was in. */
  turn: number;
  /** What the holder works on, by seq. */
  claimed: number[];
  /** So many documents are to be taken one at a time. */
  suspects: number;
}

/** A lane in a turn. */
export interface TurnLane {
  scope: string;
  /** The lease ran out, or its lane is gone. */
  lost: boolean;
  claimed: { seq: number; attempts: number }[];
}

/** There is something to process, now. */
export function wakeLane(state: State, name: string): void {
  const scope = state.scopes[name] as Scope;
  scope.lane ??= { lease: 'none', ready: null, turn: 0, claimed: [], suspects: 0 };
  if (scope.lane.lease === 'none') scope.lane.ready ??= state.now;
}

/** Whoever works on it has lost it. */
export function dropLane(state: State, name: string): void {
  (state.scopes[name] as Scope).lane = null;
  loseTurns(state, name);
}

function loseTurns(state: State, name: string): void {
  for (const lane of Object.values(state.turns).flat()) if (lane.scope === name) lane.lost = true;
}

/** A lease ends by time alone. */
export function expire(state: State, name: string): void {
  const lane = state.scopes[name]?.lane;
  if (lane?.lease !== 'live') return;
  Object.assign(lane, { lease: 'over', ready: state.now });
  loseTurns(state, name);
}

/** The time comes for everything that was to be tried again. */
export function becomeDue(state: State, name: string): void {
  const scope = state.scopes[name];
  for (const document of scope?.documents ?? []) if (document.state === 'retrying') document.due ??= state.now;
  if (scope?.lane?.lease === 'none') scope.lane.ready ??= state.now;
}

/** Those who may take a lane now, the longest waiting first. */
export function readyLanes({ scopes }: State): string[] {
  const since = (name: string) => scopes[name]?.lane?.ready ?? Number.POSITIVE_INFINITY;
  return Object.keys(scopes)
    .filter((name) => Number.isFinite(since(name)))
    .sort((a, b) => since(a) - since(b));
}

/** Those whose last holder vanished, or that have suspects: each is taken alone. */
export function isTakenAlone({ scopes }: State, name: string): boolean {
  const { lane } = scopes[name] as Scope & { lane: Lane };
  return lane.lease === 'over' || lane.suspects > 0;
}

/** Turns that have a lane in work. */
export function turnsInWork({ scopes }: State): number {
  const live = Object.values(scopes).filter(({ lane }) => lane?.lease === 'live');
  return new Set(live.map(({ lane }) => lane?.turn)).size;
}

/** Makes suspects of what a worker had that vanished; a document that it had alone is counted an attempt. */
export function noteVanished({ scopes }: State, name: string): void {
  const { documents, lane } = scopes[name] as Scope & { lane: Lane };
  if (lane.lease !== 'over') return;
  lane.suspects = Math.max(lane.suspects, lane.claimed.length);
  const alone = lane.claimed.length === 1 && documents.find(({ seq }) => seq === lane.claimed[0]);
  if (alone && isWaiting(alone)) Object.assign(alone, { attempts: alone.attempts + 1, error: true });
}

export function lease({ scopes }: State, name: string, turn: number, documents: Version[]): TurnLane {
  const { lane } = scopes[name] as Scope & { lane: Lane };
  Object.assign(lane, { lease: 'live', ready: null, turn, claimed: documents.map(({ seq }) => seq) });
  return { scope: name, lost: false, claimed: documents.map(({ seq, attempts }) => ({ seq, attempts })) };
}

/** What may be claimed next: in order of seq, but when more are due than can be taken, those that are due longest. */
export function claimable({ scopes }: State, name: string): Version[][] {
  const { documents, lane } = scopes[name] as Scope & { lane: Lane };
  const most = lane.suspects > 0 ? 1 : Number.MAX_SAFE_INTEGER;
  const queued = documents.filter(({ state }) => state === 'queued').slice(0, most);
  const due = documents.filter((document) => document.due !== null);
  if (due.length <= most) return [inOrder([...queued, ...due]).slice(0, most)];
  const longest = due.filter((one) => due.every((other) => (one.due as number) <= (other.due as number)));
  return longest.map((one) => inOrder([...queued, one]).slice(0, most));
}

const inOrder = (documents: Version[]) => documents.sort((a, b) => a.seq - b.seq);

/** At the end of a lease: back in line, or waiting for the first that may be tried again, or gone. */
export function release(state: State, name: string, settled: number): void {
  const scope = state.scopes[name] as Scope & { lane: Lane };
  const waiting = scope.documents.filter(isWaiting);
  if (waiting.length === 0) {
    dropLane(state, name);
    return;
  }
  const isReady = waiting.some(({ state, due }) => state === 'queued' || due !== null);
  Object.assign(scope.lane, {
    lease: 'none',
    ready: isReady ? state.now : null,
    claimed: [],
    suspects: Math.max(0, scope.lane.suspects - settled),
  });
}

export const isWaiting = ({ state }: Version) => state === 'queued' || state === 'retrying';
