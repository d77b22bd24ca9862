/**
 * Which contradictions are shown: the first of each document and of each fact, by severity and then by the hash of the pair.
 * One is kept while it is among the first of either document, and shown while it is among the first of both and, of those that
 * are, among the first of both facts. As more arrive its places can only be lost, and whoever takes one comes before it; so
 * what is kept and shown does not depend on the order of arrival, and there are never more of them than documents have places.
 * Pure.
 */
import type { PlacedContradiction, StoredStatus } from '../../storage/detected.ts';

export interface PlaceLimits {
  ofDocument: number;
  ofFact: number;
}

/**
 * A document has places for all that is looked for between it and two others (20 each), and a fact for five documents that all
 * say something else of it. In the three corpora that the rules are judged by, no document has more than one contradiction
 * beside those that are planted, and no fact more than two: nothing real is cut.
 */
export const MAX_PLACES: PlaceLimits = { ofDocument: 40, ofFact: 10 };

/** In `places`: whether it is among the first of the documents and of the facts of its two sides. */
const OF_DOCUMENTS = [1, 2] as const;
const OF_FACTS = [4, 8] as const;
const BOTH_DOCUMENTS = 3;
const EVERY_PLACE = 15;

/** A contradiction while it is planned what becomes of it. */
export interface Entry extends Omit<PlacedContradiction, 'status'> {
  /** As it is stored; null when it is new. */
  before: PlacedContradiction | null;
  /** An operator has resolved or deferred it: it stays, with or without a place. */
  isDecided: boolean;
  isGone: boolean;
}

/** Documents, or facts, and how many of their contradictions are to be looked at. */
export type WantedPlaces = Map<number, number>;

/** A document whose contradictions change, and as many more as it loses, or has elsewhere in the order: one for each place that becomes free. */
export function placesOfDocuments(changed: Iterable<Entry>, leaving: Set<number>, most: number): WantedPlaces {
  const wanted: WantedPlaces = new Map();
  for (const entry of changed)
    for (const seq of entry.seqs)
      if (!leaving.has(seq)) wanted.set(seq, (wanted.get(seq) ?? most) + Number(entry.isGone || isRestated(entry)));
  return wanted;
}

/** The facts of those that both documents have among their first now, or no longer, and of those that are about others now. */
export function placesOfFacts(entries: Iterable<Entry>, most: number): WantedPlaces {
  const wanted: WantedPlaces = new Map();
  for (const entry of entries) {
    const before = entry.before && hasBoth(entry.before.places) ? entry.before : null;
    const isCounted = countsForFacts(entry);
    if ((before !== null) === isCounted && !isRestated(entry)) continue;
    if (isCounted) for (const group of entry.groups) wanted.set(group, wanted.get(group) ?? most);
    for (const group of new Set(before?.groups)) wanted.set(group, (wanted.get(group) ?? most) + 1);
  }
  return wanted;
}

export function placeInDocuments(entries: Iterable<Entry>, wanted: WantedPlaces, most: number): void {
  place(
    [...entries].filter(({ isGone }) => !isGone),
    'seqs',
    OF_DOCUMENTS,
    wanted,
    most,
  );
}

export function placeInFacts(entries: Iterable<Entry>, wanted: WantedPlaces, most: number): void {
  const counted: Entry[] = [];
  for (const entry of entries)
    if (countsForFacts(entry)) counted.push(entry);
    else entry.places &= BOTH_DOCUMENTS;
  place(counted, 'groups', OF_FACTS, wanted, most);
}

/** Of one that is in the first places of neither document nothing is kept but what an operator has decided. */
export function dropUnplaced(entries: Iterable<Entry>): void {
  for (const entry of entries) if (!entry.isDecided && (entry.places & BOTH_DOCUMENTS) === 0) entry.isGone = true;
}

export function statusOf({ isGone, isDecided, before, places }: Entry): StoredStatus | null {
  if (isGone) return null;
  if (isDecided && before) return before.status;
  return places === EVERY_PLACE ? 'open' : 'left_out';
}

const hasBoth = (places: number) => (places & BOTH_DOCUMENTS) === BOTH_DOCUMENTS;
/** Newer rules have found it again, and have made of it what takes other places. */
const isRestated = ({ before, precedence }: Entry) => before !== null && before.precedence !== precedence;
const countsForFacts = ({ isGone, places }: Entry) => !isGone && hasBoth(places);

function place(
  entries: Entry[],
  sides: 'seqs' | 'groups',
  bits: readonly [number, number],
  wanted: WantedPlaces,
  most: number,
): void {
  const lists = new Map<number, Entry[]>([...wanted.keys()].map((list) => [list, []]));
  for (const entry of entries) for (const list of new Set(entry[sides])) lists.get(list)?.push(entry);
  for (const [list, members] of lists)
    for (const [nth, entry] of members.sort((one, other) => one.precedence - other.precedence).entries())
      for (const [side, bit] of bits.entries())
        if (entry[sides][side] === list) entry.places = nth < most ? entry.places | bit : entry.places & ~bit;
}
