/** A hint from process to process that something was committed. Hints may be lost: whoever hears them also looks unasked. */
import pg from 'pg';

const CHANNEL = 'docket_events';
/** However many commits, so many hints: soon when little happens, and less often when much does. */
const NOTIFY_MS = 10;
const NOTIFY_MUCH_MS = 50;
/** A connection can be dead and say nothing. */
const HEARTBEAT_MS = 10_000;
const TIMEOUT_MS = 5000;
const RETRY_MS = 1000;

export interface NotificationsOptions {
  url: string;
  onNotified: () => void;
  onError: (error: unknown) => void;
}

export class Notifications {
  readonly #options: NotificationsOptions;
  #client: pg.Client | null = null;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;
  #pending: NodeJS.Timeout | undefined;
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #said: Promise<unknown> = Promise.resolve();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: NotificationsOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#say('select 1'), HEARTBEAT_MS);
    void this.#connect();
  }

  /** Tells the others, soon. */
  notify(): void {
    if (this.#pending) return;
    const isMuch = performance.now() - this.#notifiedAt < NOTIFY_MUCH_MS;
    this.#pending = setTimeout(
      () => {
        this.#pending = undefined;
        this.#notifiedAt = performance.now();
        this.#say(`notify ${CHANNEL}`);
      },
      isMuch ? NOTIFY_MUCH_MS : NOTIFY_MS,
    );
  }

  /** One after the other: a client takes no second statement while it is at one. */
  #say(sql: string): void {
    const client = this.#client;
    this.#said = this.#said.then(() => client?.query(sql)).catch((error) => this.#lost(error, client));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    clearTimeout(this.#pending);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'docket events',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', () => this.#options.onNotified());
    client.on('error', (error) => this.#lost(error, client));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // A hint may be lost: it need not wait for the disk, nor have others wait.
      await client.query('set synchronous_commit = off');
      if (this.#closed) await client.end();
      else this.#client = client;
      // Whatever was committed while nobody listened.
      this.#options.onNotified();
    } catch (error) {
      client.end().catch(() => {});
      this.#retryLater(error);
    }
  }

  #lost(error: unknown, client = this.#client): void {
    if (client === null || client !== this.#client) return;
    this.#client = null;
    client.end().catch(() => {});
    this.#retryLater(error);
  }

  #retryLater(error: unknown): void {
    if (this.#closed) return;
    this.#options.onError(error);
    this.#retry = setTimeout(() => void this.#connect(), RETRY_MS);
  }
}
