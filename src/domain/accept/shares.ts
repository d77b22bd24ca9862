/** Who holds how much of the room for what waits or is in flight: bounded, and never one tenant's alone. */
import type { Waiting } from './waiting.ts';

const ROWS = 20_000;
const BYTES = 64 * 1024 * 1024;

interface Share {
  rows: number;
  bytes: number;
}

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
