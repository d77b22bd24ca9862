/** What becomes of detected contradictions when documents of their scope are settled or deleted. Pure. */
import type { Severity } from '../../contract/contradictions.ts';
import type {
  AddedConflict,
  DetectedContradiction,
  NewConflict,
  PlacedContradiction,
  StoredStatus,
} from '../../storage/contradictions.ts';
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
  readonly #upheld: DetectedContradiction[];
  readonly #leaving: Set<number>;
  readonly #limits;
  #reopened: ContradictionsPlan['reopened'] = [];
  #documents: WantedPlaces = new Map();
  #facts: WantedPlaces = new Map();

  /** `leaving` are the documents that go. */
  constructor(conflicts: NewConflict[], stored: DetectedContradiction[], leaving: number[], limits = MAX_PLACES) {
    this.#leaving = new Set(leaving);
    this.#limits = limits;
    const known = new Map(stored.filter(({ why }) => why === 'pair').map((one) => [one.pair, one]));
    const changed: Entry[] = [];
    for (const conflict of conflicts.toSorted((one, other) => (one.pair < other.pair ? -1 : 1))) {
      const same = known.get(conflict.pair);
      if (same) this.#moved.push({ id: same.id, conflict });
      else this.#added.set(conflict.contradiction_id, conflict);
      const entry = same ? toEntry(same) : newEntry(conflict);
      changed.push(this.#add({ ...entry, seqs: [conflict.seq_a, conflict.seq_b] }));
    }
    for (const one of stored) {
      if ((one.why !== 'side' && one.why !== 'id') || this.#entries.has(one.id)) continue;
      changed.push(this.#add({ ...toEntry(one), isGone: true }));
    }
    this.#upheld = stored.filter(({ why, id }) => why === 'upheld' && !this.#entries.get(id)?.isGone);
    this.#documents = placesOfDocuments(changed, this.#leaving, limits.ofDocument);
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

  #add(entry: Entry): Entry {
    this.#entries.set(entry.id, entry);
    return entry;
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
    const plan: ContradictionsPlan = {
      ...{ moved: this.#moved.filter(stays), reopened: this.#reopened.filter(stays) },
      ...{ added: [], placed: [], gone: [], detected: [], retracted: [] },
      ...{ open: 0, resolved: 0, deferred: 0, left_out: 0, critical: 0, disputes: new Map() },
    };
    const isReopened = new Set(plan.reopened.map(({ id }) => id));
    for (const entry of this.#entries.values()) {
      const { id, was, had, precedence, places } = entry;
      const is = statusOf(entry);
      const conflict = this.#added.get(id);
      if (conflict && is) plan.added.push({ ...conflict, precedence, places, status: is });
      else if (was && !is) plan.gone.push(id);
      else if (is && (is !== was || places !== had)) plan.placed.push({ id, places, status: is });
      if (is === 'open' && was !== 'open' && !isReopened.has(id)) plan.detected.push(entry);
      if (was && was !== 'left_out' && (is === null || is === 'left_out')) plan.retracted.push(entry);
      count(plan, entry, was, -1);
      count(plan, entry, is, 1);
    }
    for (const [group, step] of plan.disputes) if (step === 0) plan.disputes.delete(group);
    return plan;
  }
}

function toEntry({ id, precedence, places, status, severity, documents, seqs, groups }: PlacedContradiction): Entry {
  const isDecided = status === 'resolved' || status === 'deferred';
  return {
    ...{ id, precedence, places, severity, documents, seqs, groups },
    ...{ was: status, had: places, isDecided, isGone: false },
  };
}

function newEntry(conflict: NewConflict): Entry {
  const { contradiction_id: id, severity, document_a, document_b, seq_a, seq_b, group_a, group_b } = conflict;
  return {
    ...{ id, severity, documents: [document_a, document_b], seqs: [seq_a, seq_b], groups: [group_a, group_b] },
    ...{ precedence: precedenceOf(conflict), places: 0, had: 0 },
    ...{ was: null, isDecided: false, isGone: false },
  };
}

const SEVERITIES: Severity[] = ['critical', 'medium', 'low'];
/** As much of the hash as a number holds exactly beside the severity: two of a scope hardly ever have it in common. */
const HASH_BYTES = 6;

/** Its place in the order of choice, the lowest first. */
export function precedenceOf({ severity, pair }: Pick<NewConflict, 'severity' | 'pair'>): number {
  return SEVERITIES.indexOf(severity) * 2 ** (8 * HASH_BYTES) + Buffer.from(pair, 'base64').readUIntBE(0, HASH_BYTES);
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
function count(plan: ContradictionsPlan, { severity, groups }: Entry, status: StoredStatus | null, step: number): void {
  if (!status) return;
  plan[status] += step;
  if (status !== 'open' && status !== 'left_out') return;
  if (severity === 'critical') plan.critical += step;
  for (const group of new Set(groups)) plan.disputes.set(group, (plan.disputes.get(group) ?? 0) + step);
}
