/** What accepting is meant to do, in a few lines and in memory: the judge of the real thing. */
import { dropLane, isWaiting, type Lane, type TurnLane, wakeLane } from './model-lanes.ts';

export interface Post {
  kind: 'ingest' | 'store';
  scope: string;
  id: string | null;
  /** Null only for what is stored: an entry of a register. */
  text: string | null;
  key: string | null;
}
interface OnScope {
  kind: 'reset' | 'delete scope';
  scope: string;
}
interface OnDocument {
  kind: 'read' | 'delete';
  scope: string;
  id: string;
}
export type Call = Post | OnScope | OnDocument;

/** What the caller saw, as far as it is determined. */
export interface Seen {
  status?: number;
  seq?: number;
  version?: number;
  state?: string;
  attempts?: number;
  replayed?: boolean;
  /** How many documents it was about. */
  documents?: number;
  /** Only to recognise documents whose id the service made. */
  id?: string;
  /** Whatever else was answered, as JSON. */
  answer?: string;
}

/** As stored: what is in work only its lane knows. */
type VersionState = 'registered' | 'pending' | 'queued' | 'retrying' | 'processed' | 'failed' | 'superseded';

export interface Version {
  id: string;
  version: number;
  seq: number;
  text: string | null;
  state: VersionState;
  attempts: number;
  error: boolean;
  /** Of one that is retrying: since when it may be tried again, if it may. */
  due: number | null;
}

export interface Scope {
  next: number;
  documents: Version[];
  lane: Lane | null;
}

export interface State {
  scopes: Record<string, Scope>;
  keys: Record<string, { print: string; scope: string; seq: number }>;
  turns: Record<string, TurnLane[]>;
  /** How often each thing has happened. */
  events: Record<string, number>;
  /** Only the order of times matters. */
  now: number;
}

export const initial: State = { scopes: {}, keys: {}, turns: {}, events: {}, now: 0 };

export function call(state: State, operation: Call, seen: Seen): Seen {
  if ('text' in operation) return post(state, operation, seen);
  const scope = state.scopes[operation.scope];
  if (!scope) return { status: 404 };
  return 'id' in operation ? onDocument(state, scope, operation) : onScope(state, scope, operation);
}

function onScope(state: State, { documents }: Scope, { kind, scope: name }: OnScope): Seen {
  empty(state, name);
  if (kind === 'reset') {
    happened(state, 'scope.reset', name, documents.length);
    return { status: 200, documents: documents.length };
  }
  delete state.scopes[name];
  happened(state, 'scope.deleted', name);
  return { status: 204 };
}

function onDocument(state: State, scope: Scope, { kind, scope: name, id }: OnDocument): Seen {
  const versions = scope.documents.filter((version) => version.id === id);
  const latest = versions.at(-1);
  if (!latest) return { status: 404 };
  if (kind === 'read') {
    const { seq, version, attempts } = latest;
    return { status: 200, seq, version, attempts, state: shown(scope, latest) };
  }
  scope.documents = scope.documents.filter((version) => version.id !== id);
  if (!scope.documents.some(isWaiting)) dropLane(state, name);
  dropKeys(state, (bound) => bound.scope === name && versions.some(({ seq }) => seq === bound.seq));
  happened(state, 'document.deleted', name, id, versions.length);
  return { status: 204 };
}

function post(state: State, { kind, scope: name, id, text, key }: Post, seen: Seen): Seen {
  const status = kind === 'ingest' ? 202 : 201;
  const print = JSON.stringify([kind, name, id, text]);
  const bound = key ? state.keys[key] : undefined;
  if (bound) return bound.print === print ? { status, seq: bound.seq, replayed: true } : { status: 422 };

  if (!state.scopes[name]) happened(state, 'scope.created', name);
  state.scopes[name] ??= { next: 0, documents: [], lane: null };
  const scope = state.scopes[name];
  let document = id ? scope.documents.findLast((known) => known.id === id) : undefined;
  if (document?.text !== text) {
    const version = (document?.version ?? 0) + 1;
    const first = text === null ? 'registered' : 'pending';
    const fresh = { attempts: 0, error: false, due: null };
    document = { id: id ?? (seen.id as string), version, seq: scope.next++, text, state: first, ...fresh };
    scope.documents.push(document);
    if (kind === 'store') happened(state, 'document.accepted', name, document.id, version, document.seq);
  }
  if (kind === 'ingest' && (document.state === 'pending' || document.state === 'failed')) queue(state, name, document);
  if (key) state.keys[key] = { print, scope: name, seq: document.seq };
  return { status, seq: document.seq, replayed: false };
}

export function queue(state: State, name: string, document: Version): void {
  Object.assign(document, { state: 'queued', attempts: 0, error: false });
  wakeLane(state, name);
  happened(state, 'document.queued', name, document.id, document.version, document.seq);
}

function empty(state: State, name: string): void {
  Object.assign(state.scopes[name] as Scope, { next: 0, documents: [] });
  dropLane(state, name);
  dropKeys(state, ({ scope }) => scope === name);
}

function dropKeys(state: State, which: (bound: State['keys'][string]) => boolean): void {
  for (const [key, bound] of Object.entries(state.keys)) if (which(bound)) delete state.keys[key];
}

export function happened(state: State, ...what: (string | number)[]): void {
  const event = what.join(' ');
  state.events[event] = (state.events[event] ?? 0) + 1;
}

export function shown({ lane }: Scope, { seq, state }: Version): string {
  if (lane?.lease === 'live' && lane.claimed.includes(seq)) return 'processing';
  return state === 'registered' ? 'pending' : state === 'retrying' ? 'queued' : state;
}
