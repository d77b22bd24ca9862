/** Inside a worker thread: reads documents, or compares what they say, one by one, and says on the way which one it is at. */
import { setPriority } from 'node:os';
import { resourceLimits } from 'node:worker_threads';
import type { Severity } from '../contract/contradictions.ts';
import type { Pieces } from '../pipeline/claim-pieces.ts';
import type { Sketch } from '../pipeline/reconcile/sketch.ts';
import { cut, storable } from '../pipeline/storable.ts';
import type { ClaimedDocument } from '../storage/lanes.ts';
import type { ExtractorAnswer } from './extractor-answer.ts';
import { Recent } from './recent.ts';

export interface ThreadDocument extends Pick<ClaimedDocument, 'name' | 'type' | 'text'> {
  /** What an extractor of the operator's own found in it: nothing else is looked for then. */
  given?: ExtractorAnswer;
  /** Why there is none, though one was asked. */
  warning?: string;
}

/** What is kept of a document. */
export interface Reading {
  /** For comparing: a text that only the pipeline reads. */
  claims: string;
  /** For showing, by place; null where all of them are as short. */
  pieces: Pieces | null;
  /** How many there are. */
  count: number;
  keys: number[];
  /** By place, what is claimed in which group. */
  groups: number[];
  values: number[];
  /** What it is about, to tell it from others before they are compared; null where nothing is told. */
  sketch: Sketch | null;
  /** By place, what each group is about, as the text has it. */
  labels: string[];
  warnings: string[];
}

/** A document and others that share a key with it, by their places among the claims that come with the task. */
export interface Comparison {
  own: number;
  others: number[];
}

/** One side of a contradiction. */
export interface Side {
  sentence: string;
  /** In the original. */
  span: { start: number; end: number };
  group: number;
  value: number;
}

export interface Found {
  /** By its place among the others. */
  other: number;
  subject: string;
  attribute: string;
  severity: Severity;
  /** What its own document says stands first. */
  reason: string;
  /** The same with the other's first. */
  swapped: string;
  own: Side;
  others: Side;
}

/**
 * What a document claims has a number, under which a thread remembers it: to send and to look up its text for each comparison took
 * longer than to compare.
 */
export type ThreadTask =
  /** `numbers`: none where nothing will be compared. */
  | { kind: 'read'; items: ThreadDocument[]; numbers: number[] }
  /** `pairs`: two places among the numbers for each comparison. `texts`: of those that a thread is known to lack; null for others. */
  | { kind: 'compare'; pairs: Int32Array; numbers: number[]; texts: (string | null)[] };

/** What became of one item: what came of it, or why not. */
export type ThreadResult<Outcome> = { outcome: Outcome } | { error: string };

/** After so long a thread answers with what it has done, so that another tenant's piece waits no longer than for this. */
const PIECE_MS = 10;
/** Below the thread that answers requests. Elsewhere than on Linux this would lower the whole process. */
const NICENESS = 10;
const MAX_MESSAGE = 500;
/** Share of the thread's memory for what was decoded; and how much more that takes than its text, with what comparing adds. */
const REMEMBERED = 0.4;
const DECODED_SIZE = 20;

export interface ThreadAnswer<Outcome> {
  /** How many items were come to: one in any case, unless something is missing. */
  done: number;
  /** The numbers of the claims that the thread does not have. */
  missing: number[];
  /** By place. Two documents that agree are left out: most do, and to copy their results took longer than to compare them. */
  results: [at: number, result: ThreadResult<Outcome>][];
  ms: number;
}

export interface Pipeline<Claims> {
  /** What is kept of a document, and the claims that its reading has as a text. */
  read(document: ThreadDocument): { reading: Reading; claims: Claims };
  decode(claims: string): Claims;
  compare(own: Claims, others: Claims[]): Found[];
}

/** What a thread runs for each piece of a batch. An item that throws takes only itself down. `progress` is shared with who watches. */
export function inThread<Claims>(pipeline: Pipeline<Claims>) {
  if (process.platform === 'linux') setPriority(NICENESS);
  const { maxOldGenerationSizeMb: memoryMb = 0 } = resourceLimits;
  /** By number. Documents of batch after batch are compared with the same ones. */
  const remembered: Remembered<Claims> = new Recent((memoryMb * 2 ** 20 * REMEMBERED) / DECODED_SIZE);
  const read = (document: ThreadDocument, number: number | undefined): Reading => {
    const { reading, claims } = pipeline.read(document);
    // It is about to be compared, most likely here. What it says are slices of its text, which they keep in memory.
    if (number !== undefined) remembered.put(number, { claims }, Math.max(reading.claims.length, document.text.length));
    return reading;
  };
  return ({ task, progress }: { task: ThreadTask; progress: Int32Array }): ThreadAnswer<Reading | Found[]> => {
    if (task.kind === 'compare') return compareAll(pipeline, remembered, task, progress);
    const { items, numbers } = task;
    return oneByOne(items.length, progress, (at) => read(items[at] as ThreadDocument, numbers[at]));
  };
}

/** What is remembered may be null, which is not the same as nothing. */
type Remembered<Claims> = Recent<number, { claims: Claims }>;

/** Up to a document whose claims are missing. Those of each are looked up once, though it be compared with many. */
function compareAll<Claims>(
  { compare, decode }: Pipeline<Claims>,
  remembered: Remembered<Claims>,
  { pairs, numbers, texts }: Extract<ThreadTask, { kind: 'compare' }>,
  progress: Int32Array,
): ThreadAnswer<Found[]> {
  const known = numbers.map((number) => remembered.get(number));
  const isMissing = (place: number) => !known[place] && texts[place] === null;
  const missing = numbers.filter((_number, place) => isMissing(place));
  const first = pairs.findIndex(isMissing);
  const end = first < 0 ? pairs.length / 2 : first >> 1;
  const at = (place: number): Claims => {
    const one = known[place];
    if (one) return one.claims;
    const text = texts[place] as string;
    const claims = decode(text);
    known[place] = { claims };
    remembered.put(numbers[place] as number, { claims }, text.length);
    return claims;
  };
  const answer = oneByOne(end, progress, (nth) => {
    const found = compare(at(pairs[2 * nth] as number), [at(pairs[2 * nth + 1] as number)]);
    return found.length > 0 ? found : null;
  });
  return { ...answer, missing };
}

/** As many as there is time for. What came to null is left out. */
function oneByOne<Outcome>(
  items: number,
  progress: Int32Array,
  work: (at: number) => Outcome | null,
): ThreadAnswer<Outcome> {
  const results: ThreadAnswer<Outcome>['results'] = [];
  const began = performance.now();
  let done = 0;
  for (; done < items && (done === 0 || performance.now() < began + PIECE_MS); done++) {
    Atomics.store(progress, 0, done + 1);
    try {
      const outcome = work(done);
      if (outcome !== null) results.push([done, { outcome }]);
    } catch (error) {
      results.push([done, { error: describe(error) }]);
    }
  }
  return { done, missing: [], results, ms: performance.now() - began };
}

/** As Postgres can keep it. */
function describe(error: unknown): string {
  const text = error instanceof Error && error.message ? error.message : String(error);
  return cut(storable(text), MAX_MESSAGE);
}
