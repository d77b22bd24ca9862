/** What processing is meant to do with what was accepted, step by step. */

import { happened, queue, type Scope, type Seen, type State, type Version } from './model.ts';
import { becomeDue, claimable, expire, isWaiting, lease, readyLanes, release, type Turn } from './model-lanes.ts';

/** Attempts that a document has. */
export const ATTEMPTS = 2;

/** What becomes of a document in hand: done, failed, or to be taken again. */
export type Verdict = 'done' | 'error' | 'again';

/** The next step of a worker's turn: it takes a lane, or claims documents, or settles them. */
export interface Work {
  kind: 'work';
  worker: string;
  /** Of documents, in turn; or of the worker, wherever it is in its turn. */
  fate: Verdict[] | 'called off' | 'vanish';
  /** How many lanes of a tenant may be in work. */
  lanes: number;
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
  if (fate === 'vanish') {
    delete state.turns[worker];
    return { answer: 'vanished' };
  }
  if (!turn.claimed) return claim(state, turn, seen);
  delete state.turns[worker];
  if (turn.lost) return { answer: 'lost' };
  const counts = settle(state, turn.scope, turn.claimed, fate);
  // Whether a lane is ready when somebody else may be making one so, nobody can say.
  const more = readyLanes(state).length > 0;
  return { answer: `settled ${JSON.stringify({ ...counts, ...(!operation.crowded && { more }) })}` };
}

function claim(state: State, turn: Turn, seen: Seen): Seen {
  const choices = claimable(state, turn).map((documents) => ({ documents, answer: answerTo(documents) }));
  const { documents, answer } =
    choices.find(({ answer }) => answer === seen.answer) ?? (choices[0] as (typeof choices)[0]);
  turn.claimed = documents.map(({ seq, attempts }) => ({ seq, attempts }));
  const lane = state.scopes[turn.scope]?.lane;
  if (lane && !turn.lost) lane.claimed = documents.map(({ seq }) => seq);
  return { answer };
}

const answerTo = (documents: Version[]) =>
  `claimed ${JSON.stringify(documents.map(({ id, version, seq, attempts }) => [id, version, seq, attempts]))}`;

function take(state: State, { worker, lanes, crowded }: Work, { answer }: Seen): Seen {
  const inWork = Object.values(state.scopes).filter(({ lane }) => lane?.lease === 'live').length;
  const ready = inWork < lanes ? readyLanes(state) : [];
  const next = crowded ? ready.find((name) => answer === `took ${name}`) : ready[0];
  if (next !== undefined) lease(state, worker, next);
  return { answer: `took ${next ?? 'nothing'}` };
}

function settle(
  state: State,
  name: string,
  claimed: { seq: number; attempts: number }[],
  fate: Verdict[] | 'called off',
) {
  const scope = state.scopes[name] as Scope;
  // Given up unread, because workers vanished with it.
  const spent = claimed.filter(({ attempts }) => attempts >= ATTEMPTS);
  const rest = fate === 'called off' ? [] : claimed.filter(({ attempts }) => attempts < ATTEMPTS);
  const verdicts = new Map<number, Verdict>(spent.map(({ seq }) => [seq, 'error']));
  for (const [at, { seq }] of rest.entries()) verdicts.set(seq, fate[at % fate.length] as Verdict);

  // What was deleted meanwhile is no longer there.
  const settled = scope.documents.filter(({ seq }) => (verdicts.get(seq) ?? 'again') !== 'again');
  const newest = (id: string) =>
    Math.max(
      0,
      ...settled.filter((one) => one.id === id && verdicts.get(one.seq) === 'done').map(({ version }) => version),
    );
  const counts = { processed: 0, failed: 0, retried: 0, superseded: 0, documents: 0 };
  counts.documents = [...verdicts.values()].filter((verdict) => verdict !== 'again').length;
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
