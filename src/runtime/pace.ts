/** Learns how much is read in the time of a turn, and who takes turns with whom. */
import type { ClaimedDocument, TakenLane } from '../storage/lanes.ts';

/** So that tenants take turns often. */
const READ_MS = 40;
/** What reading a document costs beside its length, in bytes. */
const DOCUMENT_BYTES = 500;
/** Text that says nothing is read faster than Postgres hands it out, and whoever takes the next turn waits for that. */
const MAX_BYTES_PER_MS = 5000;

/** A turn is at most so many documents, however short they are. */
const MAX_DOCUMENTS = 250;
/**
 * Where one tenant has much and another one has little, a turn is a part of what it may be: whoever has little does not wait long for
 * the thread, nor for what the others write.
 */
const IN_COMPANY = 1 / 3;
/** For so long after the last turn of either. */
const COMPANY_MS = 1000;

export interface Size {
  documents: number;
  bytes: number;
}

interface Met {
  tenantId: string;
  until: number;
}

export class Pace {
  #bytesPerMs = 500;
  #withLittle: Met | null = null;
  #withMuch: Met | null = null;

  /** What a turn may be for one tenant alone. */
  get full(): Size {
    return { documents: MAX_DOCUMENTS, bytes: Math.round(this.#bytesPerMs * READ_MS) };
  }

  /** What the next turn may be. */
  get next(): Size {
    const { full } = this;
    if (!this.#isInCompany) return full;
    const { documents, bytes } = full;
    return { documents: Math.ceil(documents * IN_COMPANY), bytes: Math.round(bytes * IN_COMPANY) };
  }

  /** Whose turn it is, and whether they have little, or much. */
  met(tenantId: string, hasLittle: boolean): void {
    const met = { tenantId, until: performance.now() + COMPANY_MS };
    const others = (before: Met | null) => (before?.tenantId === tenantId ? null : before);
    this.#withLittle = hasLittle ? met : others(this.#withLittle);
    this.#withMuch = hasLittle ? others(this.#withMuch) : met;
  }

  get #isInCompany(): boolean {
    const [one, other] = [this.#withLittle, this.#withMuch];
    return one !== null && other !== null && performance.now() < Math.min(one.until, other.until);
  }

  learn(documents: Pick<ClaimedDocument, 'text'>[], ms: number): void {
    const bytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text) + DOCUMENT_BYTES, 0);
    const seen = Math.min(MAX_BYTES_PER_MS, Math.max(1, bytes / Math.max(ms, 0.5)));
    this.#bytesPerMs += (seen - this.#bytesPerMs) * 0.2;
  }
}

/** A turn is small that is at most one part of so many. */
const SMALL_PART = 4;

/** Whether what was taken is a small part of a full turn, and all that there was: one may be small only since the next document is long. */
export function isSmallTurn(lanes: Pick<TakenLane, 'documents' | 'is_cut'>[], full: Size): boolean {
  const documents = lanes.flatMap((lane) => lane.documents);
  const bytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const isPart = documents.length * SMALL_PART <= full.documents && bytes * SMALL_PART <= full.bytes;
  return isPart && !lanes.some(({ is_cut }) => is_cut);
}
