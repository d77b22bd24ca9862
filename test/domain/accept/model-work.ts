/** What processing is meant to do with what was accepted, step by step. */

import { happened, queue, type Scope, type Seen, type State, type Version } from './model.ts';
import {
  becomeDue,
  claimable,
  expire,
  isTakenAlone,
  isWaiting,
  lease,
  noteVanished,
  readyLanes,
  release,
  type TurnLane,
  turnsInWork,
} from './model-lanes.ts';

/** Attempts that a document has. */
export const ATTEMPTS = 2;

/** What becomes of a document in hand: done, failed, or to be taken again. */
export type Verdict = 'done' | 'error' | 'again';

/** The next step of a worker's turn: it takes lanes with their documents, or settles them. */
export interface Work {
  kind: 'work';
  worker: string;
  /** Of documents, in turn; or of the worker, wherever it is in its turn. */
  fate: Verdict[] | 'called off' | 'vanish';
  /** In how many a tenant may take part. */
  turns: number;
  /** Others are at it too: a lane that one of them has locked is passed over. */
  crowded: boolean;
}

export interface Trigger {
  kind: 'trigger';
  scope: string;
  retryFailed: boolean;
}

/** Time passes: until the lease of a scope's lane has run out, or until its documents may be tried again. */
export interface Wait {
  kind: 'lease ends' | 'retries due';
  scope: string;
}

/** It is made of several transactions, and this is how far it came. */
export interface TriggerProgress {
  already: number;
  skipped: number;
  queued: number;
  left: ('pending' | 'failed')[];
}

/** One transaction of it: the answer, or how far it is. */
export function trigger(
  state: State,
  { scope: name, retryFailed }: Trigger,
  progress: TriggerProgress | undefined,
): Seen | TriggerProgress {
  const scope = state.scopes[name];
  if (!scope) return { status: 404 };
  const count = (which: (version: Version) => boolean) => scope.documents.filter(which).length;
  if (!progress) {
    happened(state, 'scope.ingest_triggered', name, String(retryFailed));
    const skipped = count((version) => version.state === 'registered');
    const left: TriggerProgress['left'] = retryFailed ? ['pending', 'failed'] : ['pending'];
    return { already: count(isWaiting), skipped, queued: 0, left };
  }
  const { already, skipped, left } = progress;
  const sent = scope.documents.filter((version) => version.state === left[0]);
  for (const version of sent) queue(state, name, version);
  const queued = progress.queued + sent.length;
  if (left.length > 1) return { already, skipped, queued, left: left.slice(1) };
  return { status: 200, answer: JSON.stringify({ queued, already_queued: already, skipped }) };
}

export function wait(state: State, { kind, scope }: Wait): Seen {
  if (kind === 'lease ends') expire(state, scope);
  else becomeDue(state, scope);
  return {};
}

export function work(state: State, operation: Work, seen: Seen): Seen {
  const { worker, fate } = operation;
  const turn = state.turns[worker];
  if (!turn) return take(state, operation, seen);
  delete state.turns[worker];
  if (fate === 'vanish') return { answer: 'vanished' };
  // In the order in which they were taken, they go to the back of the line.
  const held = turn.filter(({ lost }) => !lost);
  if (held.length === 0) return { answer: 'lost' };
  const counts = { processed: 0, failed: 0, retried: 0, superseded: 0, documents: 0 };
  const verdicts = verdictsOf(turn, fate);
  for (const lane of held) {
    state.now++;
    const its = settle(state, lane, verdicts);
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += its[name];
  }
  return { answer: `settled ${JSON.stringify(counts)}` };
}

export const tookAnswer = (
  lanes: {
    scope: string;
    documents: { document_id?: string; id?: string; version: number; seq: number; attempts: number }[];
  }[],
) =>
  `took ${JSON.stringify(
    lanes
      .map(({ scope, documents }) => [
        scope,
        documents.map(({ document_id, id, version, seq, attempts }) => [document_id ?? id, version, seq, attempts]),
      ])
      .sort(),
  )}`;

function take(state: State, { worker, turns, crowded }: Work, { answer }: Seen): Seen {
  const choices = turnsInWork(state) < turns ? takings(state, crowded) : [];
  const chosen = choices.find((names) => isWhatWasTaken(names, answer)) ?? (crowded ? undefined : choices[0]);
  if (!chosen) return { answer: 'took nothing' };
  for (const name of chosen) noteVanished(state, name);
  const taken = chosen.map((name) => ({ scope: name, documents: claimed(state, name, answer) }));
  const turn = 1 + Math.max(0, ...Object.values(state.scopes).map(({ lane }) => lane?.turn ?? 0));
  state.turns[worker] = taken.map(({ scope, documents }) => lease(state, scope, turn, documents));
  return { answer: tookAnswer(taken) };
}

/** Which lanes may be in the next turn: all that are ready, but a suspect one alone. */
function takings(state: State, crowded: boolean): string[][] {
  const ready = readyLanes(state);
  const together = ready.filter((name) => !isTakenAlone(state, name));
  // A lane that somebody else has locked at the moment is passed over.
  if (crowded) return [together, ...ready.map((name) => [name])].filter((names) => names.length > 0);
  const [first] = ready;
  if (first === undefined) return [];
  return isTakenAlone(state, first) ? [[first]] : [together];
}

/** Whether these are the ones that were taken. */
function isWhatWasTaken(names: string[], answer: string | undefined): boolean {
  const taken = answer?.startsWith('took [') ? (JSON.parse(answer.slice('took '.length)) as [string][]) : [];
  return taken.length === names.length && taken.every(([name]) => names.includes(name));
}

/** Of what may be claimed, what was; or the first, which then does not agree. */
function claimed(state: State, name: string, answer: string | undefined): Version[] {
  const choices = claimable(state, name);
  const agrees = (documents: Version[]) => answer?.includes(tookAnswer([{ scope: name, documents }]).slice(6, -1));
  return choices.find(agrees) ?? (choices[0] as Version[]);
}

/** Of the documents that are tried, in order of their lanes; those that workers vanished with too often are given up unread. */
function verdictsOf(turn: TurnLane[], fate: Verdict[] | 'called off'): Map<TurnLane, Map<number, Verdict>> {
  let at = 0;
  return new Map(
    turn.map((lane) => {
      const verdicts = new Map<number, Verdict>();
      for (const { seq, attempts } of lane.claimed) {
        if (attempts >= ATTEMPTS) verdicts.set(seq, 'error');
        else if (fate !== 'called off') verdicts.set(seq, fate[at++ % fate.length] as Verdict);
      }
      return [lane, verdicts];
    }),
  );
}

function settle(state: State, lane: TurnLane, all: Map<TurnLane, Map<number, Verdict>>) {
  const { scope: name, claimed } = lane;
  const scope = state.scopes[name] as Scope;
  const spent = claimed.filter(({ attempts }) => attempts >= ATTEMPTS);
  const verdicts = all.get(lane) as Map<number, Verdict>;

  // What was deleted meanwhile is no longer there.
  const settled = scope.documents.filter(({ seq }) => (verdicts.get(seq) ?? 'again') !== 'again');
  const newest = (id: string) =>
    Math.max(
      0,
      ...settled.filter((one) => one.id === id && verdicts.get(one.seq) === 'done').map(({ version }) => version),
    );
  const counts = { processed: 0, failed: 0, retried: 0, superseded: 0, documents: 0 };
  counts.documents = settled.length;
  for (const document of settled) {
    const error = verdicts.get(document.seq) === 'error';
    const tried = spent.every(({ seq }) => seq !== document.seq);
    const isOutdated = document.version < newest(document.id);
    Object.assign(document, { attempts: document.attempts + (tried ? 1 : 0), error: error && !isOutdated, due: null });
    if (isOutdated) continue;
    document.state = error ? (document.attempts < ATTEMPTS ? 'retrying' : 'failed') : 'processed';
    if (document.state !== 'retrying') note(document.state, document);
    else counts.retried++;
  }
  for (const document of scope.documents) {
    if (document.state === 'superseded' || document.version >= newest(document.id)) continue;
    Object.assign(document, { state: 'superseded', due: null });
    note('superseded', document);
  }
  release(state, name, settled.length);
  return counts;

  function note(what: 'processed' | 'failed' | 'superseded', { id, version, seq }: Version) {
    counts[what]++;
    happened(state, `document.${what}`, name, id, version, seq);
  }
}
