/** Whether a tenant posts alone. Who brings much at once takes less of each flush while others wait for theirs. */

/** So long after its last document, a tenant is still one of those who post. */
const PRESENT_MS = 1000;
/** The same for who posts now and then, and would meet a large flush each time. */
const KNOWN_MS = 10_000;

interface Present {
  tenantId: string;
  at: number;
}

const NOBODY: Present = { tenantId: '', at: Number.NEGATIVE_INFINITY };

export class Company {
  /** The last two tenants that posted: one of them is another, whoever asks. */
  #last = NOBODY;
  #before = NOBODY;

  note(tenantId: string): void {
    const at = performance.now();
    if (this.#last.tenantId === tenantId) this.#last.at = at;
    else [this.#last, this.#before] = [{ tenantId, at }, this.#last];
  }

  /** Of all who post there is but one. */
  get isOfOne(): boolean {
    return performance.now() - this.#before.at >= KNOWN_MS;
  }

  isAlone(tenantId: string): boolean {
    const other = this.#last.tenantId === tenantId ? this.#before : this.#last;
    return performance.now() - other.at >= PRESENT_MS;
  }
}
