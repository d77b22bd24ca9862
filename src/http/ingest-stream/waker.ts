/** Lets one loop wait until something has changed: whoever waits looks for itself what it was. */
export class Waker {
  #wake: (() => void) | null = null;

  /** Until somebody wakes it, or for so long. To be called at once after the look, or a change may be missed. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(wake, Math.max(1, ms));
      this.#wake = wake;
    });
  }

  wake(): void {
    this.#wake?.();
  }
}
