/** Whether this process should be given work, known at every moment: probes ask without a query, however many there are. */
import { Periodic } from '../periodic.ts';
import { within } from '../within.ts';
import { STOPPING } from './health.ts';

/** With what a look may take, by so much is an answer behind what is so. */
const LOOK_EVERY_MS = 1000;
const PATIENCE_MS = 4000;
const UNKNOWN = 'It could not be found out in time whether this process can work.';

export class Readiness {
  readonly #looking: Periodic;
  #whyNot: string | null = 'The service is starting.';
  #stopping = false;

  /** `look` says why this process can do nothing; null when it can. */
  constructor(look: () => Promise<string | null>, everyMs = LOOK_EVERY_MS) {
    this.#looking = new Periodic({
      task: async () => {
        this.#whyNot = await within(PATIENCE_MS, look(), UNKNOWN);
      },
      pauseMs: everyMs,
      onError: () => {
        this.#whyNot = UNKNOWN;
      },
    });
  }

  /** Returns after the first look. */
  async start(): Promise<void> {
    await this.#looking.run();
    this.#looking.start();
  }

  /** From now on not ready: what is sent here may go elsewhere while the last requests finish. */
  stop(): Promise<void> {
    this.#stopping = true;
    return this.#looking.stop();
  }

  /** As of the last look; null when it is ready. */
  get whyNot(): string | null {
    return this.#stopping ? STOPPING : this.#whyNot;
  }
}
