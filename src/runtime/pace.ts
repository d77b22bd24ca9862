/** Learns how much is read in the time of a turn. */
import type { ClaimedDocument } from '../storage/lanes.ts';

/** So that tenants take turns often. */
const READ_MS = 40;
/** What reading a document costs beside its length, in bytes. */
const DOCUMENT_BYTES = 500;
/** Text that says nothing is read faster than Postgres hands it out, and whoever takes the next turn waits for that. */
const MAX_BYTES_PER_MS = 5000;

export class Pace {
  #bytesPerMs = 500;

  get turnBytes(): number {
    return Math.round(this.#bytesPerMs * READ_MS);
  }

  learn(documents: Pick<ClaimedDocument, 'text'>[], ms: number): void {
    const bytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text) + DOCUMENT_BYTES, 0);
    const seen = Math.min(MAX_BYTES_PER_MS, Math.max(1, bytes / Math.max(ms, 0.5)));
    this.#bytesPerMs += (seen - this.#bytesPerMs) * 0.2;
  }
}
