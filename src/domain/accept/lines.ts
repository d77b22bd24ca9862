/** What waits to be stored: a line for each tenant. Flushes take from all lines in turn, so that none waits for another's mass. */
import type { Waiting } from './waiting.ts';

/**
 * A flush is bounded: the next one, in which everybody has a share again, waits for it. Larger ones cost hardly less for each
 * row.
 */
export const FLUSH_ROWS = 128;
export const FLUSH_BYTES = 256 * 1024;
/** A line's turn: so many bytes, or one submission that is larger. */
const TURN_BYTES = 8 * 1024;
/** So many may be passed over in a line at a time: ten thousand versions of one document would be gone through for each. */
const PASSED_OVER = 500;
/** What waits is bounded, too. */
const ROWS = 20_000;
const BYTES = 64 * 1024 * 1024;

interface Share {
  rows: number;
  bytes: number;
}

/** Who holds how much of the room for what waits or is in flight. */
export class Shares {
  readonly #all: Share = { rows: 0, bytes: 0 };
  readonly #shares = new Map<string, Share>();

  /** A tenant may hold as much as is still free: one alone has half of the room, and there is always some for the next. */
  isFull(tenantId: string): boolean {
    const { rows, bytes } = this.#shares.get(tenantId) ?? { rows: 0, bytes: 0 };
    return rows >= ROWS - this.#all.rows || bytes >= BYTES - this.#all.bytes;
  }

  take({ tenantId, size }: Pick<Waiting, 'tenantId' | 'size'>): void {
    this.#change(tenantId, 1, size);
  }

  giveBack({ tenantId, size }: Pick<Waiting, 'tenantId' | 'size'>): void {
    this.#change(tenantId, -1, -size);
  }

  #change(tenantId: string, rows: number, bytes: number): void {
    const own = this.#shares.get(tenantId) ?? { rows: 0, bytes: 0 };
    for (const share of [own, this.#all]) {
      share.rows += rows;
      share.bytes += bytes;
    }
    if (own.rows > 0) this.#shares.set(tenantId, own);
    else this.#shares.delete(tenantId);
  }
}

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
   * The next batch: no two with a name in common, nor any with one that is `taken`; `setAside` may have others. What is left
   * holds its names, too, or a third could overtake a second.
   */
  take(taken: Iterable<string>, setAside: (entry: Waiting) => boolean): Waiting[] {
    const names = new Set(taken);
    const batch = new Batch();
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

class Batch {
  readonly entries: Waiting[] = [];
  #bytes = 0;

  get isFull(): boolean {
    return this.entries.length >= FLUSH_ROWS || this.#bytes >= FLUSH_BYTES;
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

  serve(batch: Batch, names: Set<string>, setAside: (entry: Waiting) => boolean): boolean {
    let bytes = 0;
    while (bytes < TURN_BYTES && !batch.isFull && this.#passedOver.length < PASSED_OVER) {
      const entry = this.#line[this.#at++];
      if (!entry) return bytes > 0;
      const isTaken = entry.names.some((name) => names.has(name));
      for (const name of entry.names) names.add(name);
      if (setAside(entry)) continue;
      if (isTaken) {
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
