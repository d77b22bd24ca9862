/**
 * What the documents of a scope say, as far as others are found by it, which is until their keys are filed in claim_keys, and counted
 * with it, which is until they are filed in claim_values. It follows from the readings alone, so that it can be built again at any time.
 */
import type { Reading, ScopeHead } from '../../storage/readings.ts';
import { type Said, saidIn } from './said.ts';

/** What a reading takes beside its keys and groups, as so many keys. */
const READING_KEYS = 10;

/** What a reading takes, in keys: one that has none takes something, too. */
export const sizeOf = ({ keys, groups }: Reading) => READING_KEYS + keys.length + groups.length;

/** Most lists have one entry, which needs no list. */
type Lists<Entry> = Map<number, Entry | Entry[]>;

export class ScopeIndex {
  readonly generation: number;
  /** Of the scope, when it said what this says. */
  revision = 0;
  #mostKeys = Infinity;
  #keepsLessSince = Infinity;
  readonly #bySeq = new Map<number, Reading>();
  readonly #byKey: Lists<Reading> = new Map();
  readonly #byGroup: Lists<Said> = new Map();
  #size = 0;
  #unfiledSize = 0;
  #filedUpTo = -1;
  #keysFiledUpTo = -1;

  constructor(generation: number) {
    this.generation = generation;
  }

  /** So many may stay in memory. */
  get mostKeys(): number {
    return this.#mostKeys;
  }

  /** By performance.now(); Infinity where any number may stay. */
  get keepsLessSince(): number {
    return this.#keepsLessSince;
  }

  /** More than so many keys would be in the way of other scopes. */
  keepLess(mostKeys: number): void {
    this.#mostKeys = mostKeys;
    this.#keepsLessSince = performance.now();
  }

  keepAll(): void {
    this.#mostKeys = Infinity;
    this.#keepsLessSince = Infinity;
  }

  /** In keys. */
  get size(): number {
    return this.#size;
  }

  /** Of those that are not filed. */
  get unfiledSize(): number {
    return this.#unfiledSize;
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

  /** What each document that is not filed says of a group. */
  inGroup(group: number): readonly Said[] {
    return listOf(this.#byGroup.get(group));
  }

  /** In place of another of this seq, which was read by older rules. */
  add(reading: Reading): void {
    const { seq } = reading;
    if (seq <= this.#keysFiledUpTo) return;
    this.remove([seq]);
    this.#bySeq.set(seq, reading);
    this.#size += sizeOf(reading);
    for (const key of reading.keys) insert(this.#byKey, key, reading, comesFirst);
    if (seq <= this.#filedUpTo) return;
    this.#unfiledSize += sizeOf(reading);
    for (const [group, said] of saidIn(reading)) insert(this.#byGroup, group, said, isOlder);
  }

  /** Those that are not here have their keys filed, or were never read. */
  remove(seqs: Iterable<number>): void {
    for (const seq of seqs) {
      const reading = this.#bySeq.get(seq);
      if (!reading) continue;
      this.#bySeq.delete(seq);
      this.#size -= sizeOf(reading);
      for (const key of reading.keys) drop(this.#byKey, key, seq);
      if (seq > this.#filedUpTo) this.#leaveOut(reading);
    }
  }

  /** Whatever is not among these is there no more. */
  keepOnly(seqs: Iterable<number>): void {
    const left = new Set(seqs);
    this.remove([...this.#bySeq.keys()].filter((seq) => !left.has(seq)));
  }

  /** Whoever looks for these finds them in the tables now: by what they say, and by their keys. */
  fileUpTo({ filed_up_to, keys_filed_up_to }: Pick<ScopeHead, 'filed_up_to' | 'keys_filed_up_to'>): void {
    if (filed_up_to > this.#filedUpTo) {
      for (const reading of this.#bySeq.values())
        if (reading.seq > this.#filedUpTo && reading.seq <= filed_up_to) this.#leaveOut(reading);
      this.#filedUpTo = filed_up_to;
    }
    if (keys_filed_up_to > this.#keysFiledUpTo) {
      this.#keysFiledUpTo = keys_filed_up_to;
      this.remove([...this.#bySeq.keys()].filter((seq) => seq <= keys_filed_up_to));
    }
  }

  /** Of what is said in groups. */
  #leaveOut(reading: Reading): void {
    this.#unfiledSize -= sizeOf(reading);
    for (const group of new Set(reading.groups)) drop(this.#byGroup, group, reading.seq);
  }
}

const NONE: readonly never[] = [];

function listOf<Entry>(entry: Entry | Entry[] | undefined): readonly Entry[] {
  if (entry === undefined) return NONE;
  return Array.isArray(entry) ? entry : [entry];
}

type Order<Entry> = (one: Entry, other: Entry) => boolean;

function insert<Entry>(lists: Lists<Entry>, name: number, added: Entry, isBefore: Order<Entry>): void {
  const entry = lists.get(name);
  if (entry === undefined) lists.set(name, added);
  else if (!Array.isArray(entry)) lists.set(name, isBefore(added, entry) ? [added, entry] : [entry, added]);
  else entry.splice(placeOf(entry, added, isBefore), 0, added);
}

function drop<Entry extends { seq: number }>(lists: Lists<Entry>, name: number, seq: number): void {
  const entry = lists.get(name);
  if (!Array.isArray(entry)) {
    if (entry?.seq === seq) lists.delete(name);
    return;
  }
  const at = entry.findIndex((one) => one.seq === seq);
  if (at >= 0) entry.splice(at, 1);
  if (entry.length === 1) lists.set(name, entry[0] as Entry);
}

/** The order in which the documents of a key are compared. */
const comesFirst: Order<Reading> = (one, other) =>
  one.document_hash < other.document_hash || (one.document_hash === other.document_hash && one.seq < other.seq);
const isOlder: Order<Said> = (one, other) => one.seq < other.seq;

function placeOf<Entry>(list: Entry[], added: Entry, isBefore: Order<Entry>): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBefore(list[middle] as Entry, added)) from = middle + 1;
    else to = middle;
  }
  return from;
}
