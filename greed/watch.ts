/** Looks at the service from outside all the while: is it there, does its health answer soon, how much memory has it. */
import { closeLater } from '../storm/ending.ts';
import { call } from '../storm/http.ts';
import type { Node } from '../storm/node.ts';
import { sleep, until } from '../storm/waiting.ts';

const HEALTH_EVERY_MS = 150;
const MEMORY_EVERY_MS = 100;
/** Much later than it may answer, so that one silence is one answer. */
const HEALTH_TIMEOUT_MS = 15_000;
/** A service that has taken this much will not stop there; the machine is for others too. */
const MAX_MEMORY_MB = 3000;
const CALM_MS = 100;
const CALM_TIMES = 3;

export interface Seen {
  healthMs: number;
  /** Answers that were not 200, or none. */
  unhealthy: number;
  memoryMb: number;
  /** What ended the service; null when nothing did. */
  ended: string | null;
}

const NOTHING: Seen = { healthMs: 0, unhealthy: 0, memoryMb: 0, ended: null };

export class Watch {
  readonly #nodes: Node[];
  #seen = { ...NOTHING };
  #inARow = 0;
  #isOver = false;

  /** The first node is the one that is asked. */
  constructor(nodes: Node[]) {
    this.#nodes = nodes;
    const timer = setInterval(() => this.#look(), MEMORY_EVERY_MS);
    closeLater(() => {
      this.#isOver = true;
      clearInterval(timer);
    });
    void this.#askForHealth();
  }

  /** Since it was last asked. */
  take(): Seen {
    const seen = this.#seen;
    this.#seen = { ...NOTHING };
    return seen;
  }

  /** True when the service has come to rest: some answers in a row came at once. */
  calm(withinMs: number): Promise<boolean> {
    this.#inARow = 0;
    return until(() => this.#inARow >= CALM_TIMES, withinMs);
  }

  #look(): void {
    for (const node of this.#nodes) {
      if (!node.isRunning) {
        this.#seen.ended ??= 'the service ended';
        continue;
      }
      const memoryMb = node.memory();
      this.#seen.memoryMb = Math.max(this.#seen.memoryMb, memoryMb);
      if (memoryMb < MAX_MEMORY_MB) continue;
      this.#seen.ended = `the service was ended at ${memoryMb.toFixed(0)} MB`;
      void node.kill();
    }
  }

  async #askForHealth(): Promise<void> {
    const [node] = this.#nodes as [Node];
    while (!this.#isOver) {
      const began = performance.now();
      const status = await call(`${node.url}/api/health`, { timeoutMs: HEALTH_TIMEOUT_MS }).then(
        (answer) => answer.status,
        () => 0,
      );
      const ms = performance.now() - began;
      this.#seen.healthMs = Math.max(this.#seen.healthMs, ms);
      if (status !== 200) this.#seen.unhealthy++;
      this.#inARow = status === 200 && ms < CALM_MS ? this.#inARow + 1 : 0;
      await sleep(HEALTH_EVERY_MS);
    }
  }
}
