/** What becomes of detected contradictions when documents of their scope are settled or deleted. Pure. */
import { type Severity, severities } from '../../contract/contradictions.ts';
import { RULES } from '../../pipeline/claim.ts';
import type {
  AddedConflict,
  DetectedContradiction,
  NewConflict,
  PlacedContradiction,
  StoredStatus,
} from '../../storage/detected.ts';
import { type CarriedOver, carryOver, isDecided, type Replaced } from './carry-over.ts';
import {
  dropUnplaced,
  type Entry,
  MAX_PLACES,
  placeInDocuments,
  placeInFacts,
  placesOfDocuments,
  placesOfFacts,
  statusOf,
  type WantedPlaces,
} from './places.ts';

export interface ContradictionsPlan {
  added: AddedConflict[];
  /** Found again by a new version of a document: the same contradiction, decided as it was. */
  moved: { id: string; conflict: NewConflict }[];
  /** Found by newer rules, too: the same contradiction, decided as it was. */
  restated: { id: string; conflict: NewConflict; precedence: number }[];
  /** Decided, and of a version that was superseded before the other side was read again. */
  carried: { id: string; seq_a: number; seq_b: number }[];
  /** Decided, and not found by the newer rules. */
  outdated: string[];
  /** Stored ones that gain or lose a place, and with it perhaps their being shown. */
  placed: { id: string; places: number; status: StoredStatus }[];
  reopened: { id: string; evidence: string }[];
  gone: string[];
  /** To be told of: those that are to be seen now, and those that no longer are. */
  detected: Told[];
  retracted: Told[];
  /** What is to be added to the counters of the scope. */
  open: number;
  resolved: number;
  deferred: number;
  left_out: number;
  critical: number;
  /** How many more, or less, that are open or left out each group is a side of. */
  disputes: Map<number, number>;
}

type Told = Pick<Entry, 'id' | 'severity' | 'documents'>;

/** What a change touches. It is planned in three steps, since each has to know what is stored beside what the last one found. */
export class ContradictionsChange {
  readonly #entries = new Map<string, Entry>();
  readonly #added = new Map<string, NewConflict>();
  readonly #moved: ContradictionsPlan['moved'] = [];
  readonly #over: CarriedOver;
  readonly #upheld: DetectedContradiction[];
  readonly #leaving: Set<number>;
  readonly #limits;
  #reopened: ContradictionsPlan['reopened'] = [];
  #documents: WantedPlaces = new Map();
  #facts: WantedPlaces = new Map();

  /** `leaving` are the documents whose readings go; `replaced` says which of them give way to others. */
  constructor(
    conflicts: NewConflict[],
    stored: DetectedContradiction[],
    leaving: number[],
    replaced: Replaced | null = null,
    limits = MAX_PLACES,
  ) {
    const stay = new Set(replaced?.seqs.values());
    this.#leaving = new Set(leaving.filter((seq) => !stay.has(seq)));
    this.#limits = limits;
    const known = new Map(stored.filter(({ why }) => why === 'pair').map((one) => [one.pair, one]));
    const fresh: NewConflict[] = [];
    for (const conflict of conflicts.toSorted(byArrival)) {
      const same = known.get(conflict.pair);
      if (!same) {
        fresh.push(conflict);
        continue;
      }
      this.#moved.push({ id: same.id, conflict });
      this.#add({ ...toEntry(same), seqs: [conflict.seq_a, conflict.seq_b] });
    }
    const sides = stored.filter(({ id, why }) => why === 'side' && !this.#entries.has(id));
    this.#over = carryOver(fresh, sides, replaced);
    this.#carryOver();
    for (const one of stored) if (this.#goes(one)) this.#add({ ...toEntry(one), isGone: true });
    // What only newer rules see in documents that were there already is no news that would undo a decision.
    const mayReopen = (id: string) => !replaced?.isAgain && !this.#entries.get(id)?.isGone;
    this.#upheld = stored.filter(({ why, id }) => why === 'upheld' && mayReopen(id));
    this.#documents = placesOfDocuments(this.#entries.values(), this.#leaving, limits.ofDocument);
  }

  /** The documents whose first contradictions are to be looked up. */
  get documents(): WantedPlaces {
    return this.#documents;
  }

  /** The facts whose first are, once all have their places in documents. */
  placeInDocuments(stored: PlacedContradiction[]): WantedPlaces {
    this.#know(stored);
    placeInDocuments(this.#entries.values(), this.#documents, this.#limits.ofDocument);
    dropUnplaced(this.#entries.values());
    this.#reopen();
    this.#facts = placesOfFacts(this.#entries.values(), this.#limits.ofFact);
    return this.#facts;
  }

  placeInFacts(stored: PlacedContradiction[]): ContradictionsPlan {
    this.#know(stored);
    placeInFacts(this.#entries.values(), this.#facts, this.#limits.ofFact);
    return this.#plan();
  }

  #carryOver(): void {
    for (const conflict of this.#over.added) {
      this.#added.set(conflict.contradiction_id, conflict);
      this.#add({ ...asFound(conflict), id: conflict.contradiction_id, ...NEW });
    }
    for (const { was, conflict } of this.#over.restated) this.#add({ ...toEntry(was), ...asFound(conflict) });
    for (const { was, seqs } of this.#over.carried) this.#add({ ...toEntry(was), seqs });
  }

  /** One that is outdated is of documents that newer rules may not even compare: it goes only with one of them. */
  #goes({ id, why, outdated }: DetectedContradiction): boolean {
    if (this.#entries.has(id) || this.#over.stays.has(id)) return false;
    return why === 'side' || (why === 'id' && !outdated);
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.id, entry);
  }

  /** What is planned of one already is newer than what is stored of it. */
  #know(stored: PlacedContradiction[]): void {
    for (const one of stored) if (!this.#entries.has(one.id)) this.#add(toEntry(one));
  }

  /** One that has lost its places while it was decided goes when it is no longer. */
  #reopen(): void {
    const added = [...this.#added.values()].filter(({ contradiction_id: id }) => !this.#entries.get(id)?.isGone);
    this.#know(this.#upheld);
    this.#reopened = reopenedBy(added, this.#upheld);
    const reopened = this.#reopened.map(({ id }) => this.#entries.get(id) as Entry);
    for (const entry of reopened) entry.isDecided = false;
    dropUnplaced(reopened);
  }

  #plan(): ContradictionsPlan {
    const stays = ({ id }: { id: string }) => !this.#entries.get(id)?.isGone;
    const { restated, carried, outdated } = this.#over;
    const plan: ContradictionsPlan = {
      ...{ moved: this.#moved.filter(stays), reopened: this.#reopened.filter(stays), outdated },
      restated: restated
        .map(({ was, conflict }) => ({ id: was.id, conflict, precedence: precedenceOf(conflict) }))
        .filter(stays),
      carried: carried.map(({ was, seqs: [seq_a, seq_b] }) => ({ id: was.id, seq_a, seq_b })),
      ...{ added: [], placed: [], gone: [], detected: [], retracted: [] },
      ...{ open: 0, resolved: 0, deferred: 0, left_out: 0, critical: 0, disputes: new Map() },
    };
    const isReopened = new Set(plan.reopened.map(({ id }) => id));
    for (const entry of this.#entries.values()) {
      const { id, before, precedence, places } = entry;
      const [was, is] = [before?.status ?? null, statusOf(entry)];
      const conflict = this.#added.get(id);
      if (conflict && is) plan.added.push({ ...conflict, precedence, places, status: is });
      else if (was && !is) plan.gone.push(id);
      else if (is && (is !== was || places !== before?.places)) plan.placed.push({ id, places, status: is });
      if (is === 'open' && was !== 'open' && !isReopened.has(id)) plan.detected.push(entry);
      if (was && was !== 'left_out' && (is === null || is === 'left_out')) plan.retracted.push(entry);
      if (before) count(plan, before, was, -1);
      count(plan, entry, is, 1);
    }
    for (const [group, step] of plan.disputes) if (step === 0) plan.disputes.delete(group);
    return plan;
  }
}

function toEntry(before: PlacedContradiction): Entry {
  const { id, precedence, places, severity, documents, seqs, groups } = before;
  return {
    ...{ id, precedence, places, severity, documents, seqs, groups },
    ...{ before, isDecided: isDecided(before), isGone: false },
  };
}

function asFound(conflict: NewConflict) {
  const { severity, document_a, document_b, seq_a, seq_b, group_a, group_b } = conflict;
  const precedence = precedenceOf(conflict);
  return {
    ...{ severity, precedence, documents: [document_a, document_b] },
    ...{ seqs: [seq_a, seq_b] as [number, number], groups: [group_a, group_b] as [number, number] },
  };
}

/** They are listed as if each document had been settled by itself, whatever was settled together. */
function byArrival(one: NewConflict, other: NewConflict): number {
  const later = Math.max(one.seq_a, one.seq_b) - Math.max(other.seq_a, other.seq_b);
  const earlier = Math.min(one.seq_a, one.seq_b) - Math.min(other.seq_a, other.seq_b);
  return later || earlier || (one.pair < other.pair ? -1 : 1);
}

const NEW = { before: null, places: 0, isDecided: false, isGone: false };

const SEVEREST_FIRST: readonly Severity[] = severities.toReversed();
/** As much of the hash as a number holds exactly beside the rest: two of a document hardly ever have it in common. */
const HASH_BYTES = 5;

/**
 * Its place in the order of choice, the lowest first. What older rules have found comes after all that newer ones find, so that
 * it cannot cost these a place before it is judged: what is kept in the end is what newer rules alone would have kept.
 */
export function precedenceOf({ severity, pair }: Pick<NewConflict, 'severity' | 'pair'>, rules = RULES): number {
  const rank = SEVEREST_FIRST.indexOf(severity) - (SEVEREST_FIRST.length + 1) * rules;
  return rank * 2 ** (8 * HASH_BYTES) + Buffer.from(pair, 'base64').readUIntBE(0, HASH_BYTES);
}

/** A resolution stands until a document from outside contradicts what it upholds. */
function reopenedBy(added: NewConflict[], upheld: DetectedContradiction[]): ContradictionsPlan['reopened'] {
  const resolved = new Map<string, Map<string, DetectedContradiction>>();
  for (const one of upheld)
    for (const { group, value } of one.upheld) {
      const name = `${group} ${value}`;
      resolved.set(name, (resolved.get(name) ?? new Map()).set(one.id, one));
    }
  const reopened = new Map<string, ContradictionsPlan['reopened'][number]>();
  for (const conflict of added) {
    const { group_a, value_a, document_a, group_b, value_b, document_b } = conflict;
    const witnesses: [string, string][] = [
      [`${group_a} ${value_a}`, document_b],
      [`${group_b} ${value_b}`, document_a],
    ];
    for (const [name, witness] of witnesses)
      for (const { id, documents } of resolved.get(name)?.values() ?? [])
        if (!documents.includes(witness) && !reopened.has(id))
          reopened.set(id, { id, evidence: conflict.contradiction_id });
  }
  return [...reopened.values()];
}

/** What is left out is in dispute all the same. */
function count(
  plan: ContradictionsPlan,
  { severity, groups }: Pick<Entry, 'severity' | 'groups'>,
  status: StoredStatus | null,
  step: number,
): void {
  if (!status) return;
  plan[status] += step;
  if (status !== 'open' && status !== 'left_out') return;
  if (severity === 'critical') plan.critical += step;
  for (const group of new Set(groups)) plan.disputes.set(group, (plan.disputes.get(group) ?? 0) + step);
}
