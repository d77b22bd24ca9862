/**
 * Who may talk to the console. It holds the key of an operator and listens where every page in the browser and every account
 * of the machine can reach it, so that an address of 127.0.0.1 proves nothing.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refusal } from './answers.ts';

const LOCKED = 'This console does not know this browser. Open the link that `npm run console` has printed.';

export class Guard {
  /** Known to who reads the terminal, and from then on to that browser. */
  readonly #pass = randomBytes(24).toString('base64url');
  /** As a number only: by the name localhost a browser may come to somebody else, who listens on ::1. */
  readonly #host: string;

  constructor(port: number) {
    this.#host = `127.0.0.1:${port}`;
  }

  /** What is behind the # stays with the browser, and is in no request. */
  get link(): string {
    return `http://${this.#host}/#pass=${this.#pass}`;
  }

  /** Throws for whoever comes by another name, which a foreign page may have given to this address, or from another page. */
  checkPlace({ method, headers }: IncomingMessage): void {
    const { host, origin, 'sec-fetch-site': site } = headers;
    if (host !== this.#host)
      throw new Refusal(403, 'foreign', `The console is at http://${this.#host} and answers to no other name.`);
    const isOwn = origin === `http://${host}`;
    // Browsers send an Origin with all that changes something; who sends none is no page of ours.
    if (origin === undefined ? method !== 'GET' && method !== 'HEAD' : !isOwn)
      throw new Refusal(403, 'foreign', 'The console answers its own page only.');
    const isOpening = headers['sec-fetch-mode'] === 'navigate' && method === 'GET';
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpening)
      throw new Refusal(403, 'foreign', 'The console answers its own page only.');
  }

  /**
   * Throws for whoever does not bring the pass. It comes in a header that the page sets, and not in a cookie: browsers send
   * cookies to every port of a host, and behind another port may be anybody.
   */
  checkPass({ headers }: IncomingMessage): void {
    const [given, own] = [Buffer.from(String(headers['x-docket-pass'] ?? '')), Buffer.from(this.#pass)];
    if (given.length !== own.length || !timingSafeEqual(given, own)) throw new Refusal(401, 'locked', LOCKED);
  }
}
