/** What accepting is meant to do, in a few lines and in memory: the judge of the real thing. */

export interface Post {
  kind: 'ingest' | 'store';
  scope: string;
  id: string | null;
  text: string;
  key: string | null;
}
export type Operation =
  | Post
  | { kind: 'read'; scope: string; id: string }
  | { kind: 'delete'; scope: string; id: string }
  | { kind: 'delete scope'; scope: string };

/** What the caller saw, as far as it is determined. */
export interface Seen {
  status: number;
  seq?: number;
  version?: number;
  state?: string;
  replayed?: boolean;
  /** Only to recognise documents whose id the service made. */
  id?: string;
}

interface Version {
  id: string;
  version: number;
  seq: number;
  text: string;
  state: string;
}

export interface State {
  scopes: Record<string, { next: number; documents: Version[] }>;
  keys: Record<string, { print: string; scope: string; seq: number }>;
}

export const initial: State = { scopes: {}, keys: {} };

/** The state after an operation, or null when what was seen cannot have come from this state. */
export function step(before: State, operation: Operation, seen: Seen): State | null {
  const state = structuredClone(before);
  const expected = apply(state, operation, seen);
  const same = (Object.keys(expected) as (keyof Seen)[]).every((name) => expected[name] === seen[name]);
  return same ? state : null;
}

function apply(state: State, operation: Operation, seen: Seen): Seen {
  const scope = state.scopes[operation.scope];
  if (operation.kind === 'delete scope') {
    if (!scope) return { status: 404 };
    delete state.scopes[operation.scope];
    dropKeys(state, (bound) => bound.scope === operation.scope);
    return { status: 204 };
  }
  if (operation.kind === 'read') {
    const latest = scope?.documents.findLast(({ id }) => id === operation.id);
    return latest ? { status: 200, seq: latest.seq, version: latest.version, state: latest.state } : { status: 404 };
  }
  if (operation.kind === 'delete') {
    const gone = scope?.documents.filter(({ id }) => id === operation.id) ?? [];
    if (!scope || gone.length === 0) return { status: 404 };
    scope.documents = scope.documents.filter(({ id }) => id !== operation.id);
    dropKeys(state, (bound) => bound.scope === operation.scope && gone.some(({ seq }) => seq === bound.seq));
    return { status: 204 };
  }
  return post(state, operation, seen);
}

function post(state: State, { kind, scope: name, id, text, key }: Post, seen: Seen): Seen {
  const status = kind === 'ingest' ? 202 : 201;
  const print = JSON.stringify([kind, name, id, text]);
  const bound = key ? state.keys[key] : undefined;
  if (bound) return bound.print === print ? { status, seq: bound.seq, replayed: true } : { status: 422 };

  state.scopes[name] ??= { next: 0, documents: [] };
  const scope = state.scopes[name];
  const latest = id ? scope.documents.findLast((document) => document.id === id) : undefined;
  let seq: number;
  if (latest?.text === text) {
    seq = latest.seq;
    if (kind === 'ingest' && latest.state === 'pending') latest.state = 'queued';
  } else {
    seq = scope.next++;
    const state = kind === 'ingest' ? 'queued' : 'pending';
    scope.documents.push({ id: id ?? (seen.id as string), version: (latest?.version ?? 0) + 1, seq, text, state });
  }
  if (key) state.keys[key] = { print, scope: name, seq };
  return { status, seq, replayed: false };
}

function dropKeys(state: State, which: (bound: State['keys'][string]) => boolean): void {
  for (const [key, bound] of Object.entries(state.keys)) if (which(bound)) delete state.keys[key];
}

/** Every state that operations done at the same time can have led to, in whatever order they took effect. */
export function together(states: State[], done: { operation: Operation; seen: Seen }[]): State[] {
  if (done.length === 0) return states;
  const after = new Map<string, State>();
  for (const [index, { operation, seen }] of done.entries()) {
    const moved = states.flatMap((state) => step(state, operation, seen) ?? []);
    if (moved.length === 0) continue;
    for (const state of together(moved, done.toSpliced(index, 1))) after.set(JSON.stringify(state), state);
  }
  return [...after.values()];
}
