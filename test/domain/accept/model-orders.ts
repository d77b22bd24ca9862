/** Which states of the model explain what was seen, when several things were done at the same time. */
import { type Call, call, type Seen, type State } from './model.ts';
import { type Trigger, type TriggerProgress, trigger, type Wait, type Work, wait, work } from './model-work.ts';

export type Operation = Call | Trigger | Wait | Work;

export interface Done {
  operation: Operation;
  seen: Seen;
}

interface Doing extends Done {
  progress?: TriggerProgress;
}

/** Every state that operations done at the same time can have led to, in whatever order they took effect. */
export function together(states: State[], done: Done[]): State[] {
  const after = new Map<string, State>();
  const tried = new Set<string>();
  for (const state of states) explore(state, done);
  return [...after.values()];

  function explore(state: State, left: Doing[]): void {
    const name = nameOf(state);
    if (left.length === 0) return void after.set(name, state);
    const place = JSON.stringify([name, left]);
    if (tried.has(place)) return;
    tried.add(place);
    for (const [index, doing] of left.entries()) {
      const moved = step(state, doing);
      if (moved) explore(moved.state, moved.rest ? left.with(index, moved.rest) : left.toSpliced(index, 1));
    }
  }
}

/** The state after an operation, or one part of it; null when what was seen cannot have come from this state. */
function step(before: State, doing: Doing): { state: State; rest?: Doing } | null {
  const state = structuredClone(before);
  const { operation, seen, progress } = doing;
  state.now++;
  const expected = apply(state, operation, seen, progress);
  state.now = rankTimes(state);
  if ('left' in expected) return { state, rest: { operation, seen, progress: expected } };
  const same = (Object.keys(expected) as (keyof Seen)[]).every((name) => expected[name] === seen[name]);
  return same ? { state } : null;
}

function apply(state: State, operation: Operation, seen: Seen, progress?: TriggerProgress): Seen | TriggerProgress {
  switch (operation.kind) {
    case 'work':
      return work(state, operation, seen);
    case 'trigger':
      return trigger(state, operation, progress);
    case 'lease ends':
    case 'retries due':
      return wait(state, operation);
    default:
      return call(state, operation, seen);
  }
}

/** Times by their order alone, so that states are the same that will behave the same. Returns a later one. */
function rankTimes({ scopes }: State): number {
  const lanes = Object.values(scopes).flatMap(({ lane }) => lane ?? []);
  const documents = Object.values(scopes).flatMap((scope) => scope.documents);
  const times = [...new Set([...lanes.map(({ ready }) => ready), ...documents.map(({ due }) => due)])]
    .filter((time) => time !== null)
    .sort((a, b) => a - b);
  const rank = (time: number | null) => (time === null ? null : times.indexOf(time));
  for (const lane of lanes) lane.ready = rank(lane.ready);
  for (const document of documents) document.due = rank(document.due);
  return times.length;
}

/** The same for the same state, in whatever order it came to its parts. */
const nameOf = (state: State) =>
  JSON.stringify(state, (_, value) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
