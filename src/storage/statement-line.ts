/**
 * A connection to which statements are sent without waiting for the answers to those before: Postgres begins each as soon as it has
 * committed the last one, and need not wait meanwhile until Node has time for it.
 */
import pg from 'pg';

export type LineClient = pg.Client & { processID: number };

export class StatementLine {
  readonly #config: pg.ClientConfig;
  #opening: Promise<LineClient> | null = null;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  /** The one that all statements share, until it breaks or somebody leaves it. */
  client(): Promise<LineClient> {
    if (this.#opening) return this.#opening;
    const client = new pg.Client({ ...this.#config, pipeline: true }) as LineClient;
    const opening = client.connect().then(() => client);
    const forget = () => {
      if (this.#opening === opening) this.#opening = null;
    };
    // Unheard, an error would end the process. What is under way fails by itself.
    client.on('error', forget);
    client.once('end', forget);
    opening.catch(forget);
    this.#opening = opening;
    return opening;
  }

  /** What was sent to it before is still answered. */
  async leave(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    await opening?.then((client) => client.end()).catch(() => {});
  }
}
