/**
 * What the documents of a scope say, as far as others are found by it and counted with it: those that are not filed in
 * claim_keys and claim_values yet. It follows from the readings alone, so that it can be built again at any time.
 */
import type { Reading } from '../../storage/readings.ts';

/** Most lists have one entry, which needs no list. */
type Lists = Map<number, Reading | Reading[]>;

export class ScopeIndex {
  readonly generation: number;
  /** Of the scope, when it said what this says. */
  revision = 0;
  readonly #bySeq = new Map<number, Reading>();
  readonly #byKey: Lists = new Map();
  readonly #byGroup: Lists = new Map();
  #keys = 0;
  #filedUpTo = -1;

  constructor(generation: number) {
    this.generation = generation;
  }

  /** In keys, which is what it takes memory for. */
  get size(): number {
    return this.#keys;
  }

  get(seq: number): Reading | undefined {
    return this.#bySeq.get(seq);
  }

  /** In order of seq. */
  readings(): Reading[] {
    return [...this.#bySeq.values()].sort((one, other) => one.seq - other.seq);
  }

  /** In order of hash. */
  withKey(key: number): readonly Reading[] {
    return listOf(this.#byKey.get(key));
  }

  inGroup(group: number): readonly Reading[] {
    return listOf(this.#byGroup.get(group));
  }

  add(reading: Reading): void {
    if (reading.seq <= this.#filedUpTo || this.#bySeq.has(reading.seq)) return;
    this.#bySeq.set(reading.seq, reading);
    this.#keys += reading.keys.length;
    for (const key of reading.keys) insert(this.#byKey, key, reading);
    for (const group of new Set(reading.groups)) insert(this.#byGroup, group, reading);
  }

  /** Those that are not here are filed, or were never read. */
  remove(seqs: Iterable<number>): void {
    for (const seq of seqs) {
      const reading = this.#bySeq.get(seq);
      if (!reading) continue;
      this.#bySeq.delete(seq);
      this.#keys -= reading.keys.length;
      for (const key of reading.keys) drop(this.#byKey, key, reading);
      for (const group of new Set(reading.groups)) drop(this.#byGroup, group, reading);
    }
  }

  /** Whoever looks for these finds them in the tables now. */
  fileUpTo(seq: number): void {
    if (seq <= this.#filedUpTo) return;
    this.#filedUpTo = seq;
    this.remove([...this.#bySeq.keys()].filter((known) => known <= seq));
  }
}

const NONE: readonly Reading[] = [];

function listOf(entry: Reading | Reading[] | undefined): readonly Reading[] {
  if (entry === undefined) return NONE;
  return Array.isArray(entry) ? entry : [entry];
}

function insert(lists: Lists, name: number, reading: Reading): void {
  const entry = lists.get(name);
  if (entry === undefined) lists.set(name, reading);
  else if (!Array.isArray(entry)) lists.set(name, comesFirst(reading, entry) ? [reading, entry] : [entry, reading]);
  else entry.splice(placeOf(entry, reading), 0, reading);
}

function drop(lists: Lists, name: number, reading: Reading): void {
  const entry = lists.get(name);
  if (!Array.isArray(entry)) {
    if (entry === reading) lists.delete(name);
    return;
  }
  const at = entry.indexOf(reading);
  if (at >= 0) entry.splice(at, 1);
  if (entry.length === 1) lists.set(name, entry[0] as Reading);
}

/** The order in which the documents of a key are compared. */
function comesFirst(one: Reading, other: Reading): boolean {
  return one.document_hash < other.document_hash || (one.document_hash === other.document_hash && one.seq < other.seq);
}

function placeOf(list: Reading[], reading: Reading): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (comesFirst(list[middle] as Reading, reading)) from = middle + 1;
    else to = middle;
  }
  return from;
}
