/** An outside reader of the event stream, which resumes wherever it was cut off; it keeps the ids and types it was sent. */
import { type IncomingMessage, request } from 'node:http';
import type { Deployment } from './deployment.ts';
import { closeLater } from './ending.ts';
import { sleep } from './waiting.ts';

const AGAIN_MS = 200;
/** A stream that says nothing for so long is dead: the service says something every 15 s. */
const SILENCE_MS = 20_000;

export class Follower {
  readonly #deployment: Deployment;
  readonly ids: number[] = [];
  /** Of a log that was trimmed: none is, in a storm. */
  gaps = 0;
  cuts = -1;
  #last = '0';
  #closed = false;
  #response: IncomingMessage | null = null;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
    closeLater(() => this.close());
    void this.#run();
  }

  get last(): number {
    return Number(this.#last);
  }

  close(): void {
    this.#closed = true;
    this.#response?.destroy();
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#closed; n++) {
      this.cuts++;
      const { apis } = this.#deployment;
      await this.#read(`${apis[n % apis.length]?.url}/internals/kernel/events`).catch(() => {});
      await sleep(AGAIN_MS);
    }
  }

  #read(url: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.#deployment.internals}`, 'last-event-id': this.#last };
    return new Promise((resolve, reject) => {
      const sent = request(url, { headers, agent: false, timeout: SILENCE_MS }, (response) => {
        this.#response = response;
        if (response.statusCode !== 200) response.destroy();
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const frames = (rest + text).split('\n\n');
          rest = frames.pop() ?? '';
          for (const frame of frames) this.#take(frame);
        });
        response.once('error', reject).once('close', resolve);
      });
      sent.once('timeout', () => sent.destroy()).once('error', reject);
      sent.end();
    });
  }

  #take(frame: string): void {
    const id = /^id: (\d+)$/m.exec(frame)?.[1];
    const type = /^event: (.+)$/m.exec(frame)?.[1];
    if (type === 'gap') this.gaps++;
    else if (type !== undefined && id !== undefined && /^data: /m.test(frame)) this.ids.push(Number(id));
    if (id !== undefined) this.#last = id;
  }
}
