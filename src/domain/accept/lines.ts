/** What waits to be stored: a line for each tenant. Flushes take from all lines in turn, so that none waits for another's mass. */
import type { Waiting } from './waiting.ts';

/**
 * A flush is bounded: the next one, in which everybody has a share again, waits for it. Larger ones cost hardly less for each
 * row.
 */
const FLUSH_ROWS = 128;
/** The same while only one tenant posts: then nobody else waits, and what a commit costs is shared by more. */
const FLUSH_ROWS_OF_ONE = 512;
const FLUSH_BYTES = 256 * 1024;
/** A line's turn: so many bytes, or one submission that is larger. */
const TURN_BYTES = 8 * 1024;
/** So many may be passed over in a line at a time: ten thousand versions of one document would be gone through for each. */
const PASSED_OVER = 500;

/** Whether it is to wait elsewhere, where it is then; `isTaken` says that somebody who waits there with one of its names goes first. */
export type SetAside = (entry: Waiting, isTaken: boolean) => boolean;

export class Lines {
  /** The line whose turn is next stands first. */
  readonly #lines = new Map<string, Waiting[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(entry: Waiting): void {
    const line = this.#lines.get(entry.tenantId);
    if (line) line.push(entry);
    else this.#lines.set(entry.tenantId, [entry]);
    this.#size++;
  }

  /**
   * The next batch: no two with a name in common, nor any with one that `isTaken`; `setAside` may have others. What is left
   * holds its names, too, or a third could overtake a second.
   */
  take(isTaken: (name: string) => boolean, setAside: SetAside, isOfOne = false): Waiting[] {
    const names = new Names(isTaken);
    const batch = new Batch(isOfOne ? FLUSH_ROWS_OF_ONE : FLUSH_ROWS);
    const turns = [...this.#lines].map(([tenantId, line]) => new Turn(tenantId, line));
    let isServed = true;
    while (isServed && !batch.isFull) {
      isServed = false;
      for (const turn of turns) {
        if (batch.isFull) break;
        isServed = turn.serve(batch, names, setAside) || isServed;
      }
    }
    for (const { tenantId, left, wasServed } of turns) {
      // Who was served goes to the end; the others keep their places before it.
      if (wasServed || left.length === 0) this.#lines.delete(tenantId);
      if (left.length > 0) this.#lines.set(tenantId, left);
    }
    this.#count();
    return batch.entries;
  }

  /** Takes out those that `isOut` says, of one tenant or of all. */
  remove(isOut: (entry: Waiting) => boolean, tenantIds: Iterable<string> = [...this.#lines.keys()]): void {
    for (const tenantId of tenantIds) {
      const line = this.#lines.get(tenantId)?.filter((entry) => !isOut(entry));
      if (line && line.length > 0) this.#lines.set(tenantId, line);
      else this.#lines.delete(tenantId);
    }
    this.#count();
  }

  #count(): void {
    this.#size = 0;
    for (const line of this.#lines.values()) this.#size += line.length;
  }
}

/** As much of one line as fits into a batch by itself, no name twice; and what is left of it. */
export function takeFrom(line: Waiting[]): { batch: Waiting[]; left: Waiting[] } {
  const [batch, turn, names] = [new Batch(), new Turn('', line), new Names(() => false)];
  while (turn.serve(batch, names, () => false));
  return { batch: batch.entries, left: turn.left };
}

/** Those that somebody has who is to go first, elsewhere or in the lines. */
class Names {
  readonly isTaken: (name: string) => boolean;
  readonly #seen = new Set<string>();

  constructor(isTaken: (name: string) => boolean) {
    this.isTaken = isTaken;
  }

  isInLine(name: string): boolean {
    return this.#seen.has(name);
  }

  add(name: string): void {
    this.#seen.add(name);
  }
}

class Batch {
  readonly entries: Waiting[] = [];
  readonly #rows: number;
  #bytes = 0;

  constructor(rows = FLUSH_ROWS) {
    this.#rows = rows;
  }

  get isFull(): boolean {
    return this.entries.length >= this.#rows || this.#bytes >= FLUSH_BYTES;
  }

  add(entry: Waiting): void {
    this.entries.push(entry);
    this.#bytes += entry.size;
  }
}

/** A line's part in a batch, over as many rounds as there are. */
class Turn {
  readonly tenantId: string;
  readonly #line: Waiting[];
  readonly #passedOver: Waiting[] = [];
  #at = 0;
  wasServed = false;

  constructor(tenantId: string, line: Waiting[]) {
    this.tenantId = tenantId;
    this.#line = line;
  }

  get left(): Waiting[] {
    return [...this.#passedOver, ...this.#line.slice(this.#at)];
  }

  serve(batch: Batch, names: Names, setAside: SetAside): boolean {
    let bytes = 0;
    while (bytes < TURN_BYTES && !batch.isFull && this.#passedOver.length < PASSED_OVER) {
      const entry = this.#line[this.#at++];
      if (!entry) return bytes > 0;
      const isTaken = entry.names.some((name) => names.isTaken(name));
      const follows = entry.names.some((name) => names.isInLine(name));
      // Elsewhere it could overtake those in its line whom it follows.
      if (!follows && setAside(entry, isTaken)) continue;
      for (const name of entry.names) names.add(name);
      if (follows || isTaken) {
        this.#passedOver.push(entry);
        continue;
      }
      batch.add(entry);
      bytes += entry.size;
      this.wasServed = true;
    }
    return bytes > 0;
  }
}
