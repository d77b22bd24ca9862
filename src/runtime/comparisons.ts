/** Has documents compared that share a key, in rounds. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../domain/database.ts';
import { newContradictionId } from '../domain/ids.ts';
import type { Pair } from '../pipeline/candidates.ts';
import type { NewConflict } from '../storage/detected.ts';
import { type ClaimCache, Room } from './claim-cache.ts';
import type { Lane } from './lane-candidates.ts';
import type { Sketches } from './sketches.ts';
import type { Found, Side } from './thread.ts';
import type { Watcher } from './thread-pool.ts';
import type { Threads } from './threads.ts';

/** What one round compares, within what the cache hands out at once: memory stays small, whatever is compared. */
const MAX_ROUND = 1000;
/** Held against one document at a time: the time limit of a document is for so many. */
const MAX_OTHERS = 16;

export interface ComparingParts {
  db: Queryable;
  threads: Pick<Threads, 'compare'>;
  cache: ClaimCache;
  sketches: Sketches;
  watcher: Watcher;
}

/** A document, and some that it is to be compared with. */
interface Partners {
  lane: Lane;
  seq: number;
  others: number[];
}

/** Each new document with those it is to be compared with; a pair of two new ones, or of two old ones, once. */
function partnersOf(lane: Lane, left: Pair[]): Partners[] {
  const isNew = new Set(lane.readings.map(({ seq }) => seq));
  const pairs = left.map(([a, b]) => (isNew.has(b) ? [b, a] : [a, b]) as Pair);
  return [...Map.groupBy(pairs, ([own]) => own)].flatMap(([seq, own]) => {
    const others = own.map(([, other]) => other);
    const parts = Math.ceil(others.length / MAX_OTHERS);
    return Array.from({ length: parts }, (_, n) => ({
      lane,
      seq,
      others: others.slice(n * MAX_OTHERS, (n + 1) * MAX_OTHERS),
    }));
  });
}

export interface Compared {
  conflicts: Map<string, NewConflict>;
  troubled: Map<number, string | null>;
}

/** In rounds, each with as many claims as fit into memory. */
export async function compareAll(parts: ComparingParts, lanes: Lane[]): Promise<Compared[]> {
  const compared = new Map(
    lanes.map((lane): [Lane, Compared] => [lane, { conflicts: new Map(), troubled: new Map() }]),
  );
  const left = await parts.sketches.tellApart(parts.db, lanes);
  let todo = [...left].flatMap(([lane, pairs]) => partnersOf(lane, pairs));
  while (todo.length > 0) {
    let room = MAX_ROUND;
    const round = todo.filter(({ others }, n) => {
      room -= others.length;
      return n === 0 || room >= 0;
    });
    const { results, late } = await compareRound(parts, round);
    for (const { lane, own, result } of results) {
      const { conflicts, troubled } = compared.get(lane) as Compared;
      if (result === null) troubled.set(own, null);
      else if ('error' in result) troubled.set(own, result.error);
      else for (const conflict of result.conflicts) conflicts.set(conflict.pair, conflict);
    }
    const inRound = new Set(round);
    todo = [...late, ...todo.filter((one) => !inRound.has(one))];
  }
  return [...compared.values()];
}

async function compareRound({ db, threads, cache, watcher }: ComparingParts, round: Partners[]) {
  const texts: string[] = [];
  const said: Said[] = [];
  const late: Partners[] = [];
  const comparisons: { lane: Lane; own: number; others: number[] }[] = [];
  const room = new Room();
  for (const [lane, partners] of Map.groupBy(round, ({ lane }) => lane)) {
    const wanted = new Set(partners.flatMap(({ seq, others }) => [seq, ...others]));
    const fresh: Said[] = lane.readings.filter(({ seq }) => wanted.delete(seq));
    const listed = wanted.size > 0 ? await cache.list(db, lane.lease, [...wanted], room) : [];
    const places = new Map<number, number>();
    for (const one of [...fresh, ...listed].filter((one): one is Said => one.claims !== null)) {
      places.set(one.seq, said.length);
      said.push(one);
      texts.push(one.claims);
    }
    const isLate = new Set(listed.flatMap(({ seq, claims }) => (claims === null ? [seq] : [])));
    for (const { seq, others } of partners) {
      const own = places.get(seq);
      // What was deleted meanwhile has nothing more to say.
      if (own !== undefined)
        comparisons.push({ lane, own, others: others.flatMap((other) => places.get(other) ?? []) });
      const left = isLate.has(seq) ? others : others.filter((other) => isLate.has(other));
      if (left.length > 0) late.push({ lane, seq, others: left });
    }
  }
  const items = comparisons.map(({ own, others }) => ({ own, others }));
  const [first] = round;
  const { results } = first
    ? await threads.compare(first.lane.lease.tenant_id, items, texts, watcher)
    : { results: [] };
  return {
    late,
    results: comparisons.map(({ lane, own, others }, index) => {
      const document = said[own] as Said;
      const result = results[index] ?? null;
      if (result === null || 'error' in result) return { lane, own: document.seq, result };
      const found = result.outcome.map((one) => toConflict(document, said[others[one.other] as number] as Said, one));
      return { lane, own: document.seq, result: { conflicts: found } };
    }),
  };
}

interface Said {
  seq: number;
  document_id: string;
  claims: string;
}

/** Which side is a and which is b has nothing to do with which document came first. */
export function toConflict(own: Said, other: Said, found: Found): NewConflict {
  const sides = [
    { ...own, side: found.own },
    { ...other, side: found.others },
  ].sort((one, two) => (one.document_id < two.document_id ? -1 : 1));
  const [a, b] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const identity = [a, b].map(({ document_id, side }) => [document_id, side.sentence, side.group, side.value]);
  return {
    contradiction_id: newContradictionId(),
    pair: createHash('sha256')
      .update(JSON.stringify(['detected', ...identity]))
      .digest('base64'),
    claim_a: a.side.sentence,
    claim_b: b.side.sentence,
    subject: found.subject,
    attribute: found.attribute,
    severity: found.severity,
    reason: a.side === found.own ? found.reason : found.swapped,
    document_a: a.document_id,
    document_b: b.document_id,
    seq_a: a.seq,
    seq_b: b.seq,
    span_a: spanOf(a.side),
    span_b: spanOf(b.side),
    group_a: a.side.group,
    group_b: b.side.group,
    value_a: a.side.value,
    value_b: b.side.value,
  };
}

const spanOf = ({ span }: Side): [number, number] => [span.start, span.end];
