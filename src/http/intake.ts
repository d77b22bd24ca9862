/**
 * Takes in what clients send by turns. Left to itself, Node reads up to 2 MB of a connection in one go: forty that send at once
 * would keep everybody else waiting for 80 MB.
 */
import type { FastifyInstance } from 'fastify';

type Body = NodeJS.ReadableStream;

/** Bodies that are read on in one turn, each by one or two pieces of 64 KB. */
const AT_ONCE = 4;
/**
 * Between two turns of those that are thrown away: 25 MB a second over all. They were answered already, and every 64 MB make
 * Node look through all of its memory.
 */
const DISCARDED_MS = 20;

/** So many are thrown away at once: each may have 192 KB in memory while it waits for its turn. The others are cut off. */
const MAX_DISCARDED = 256;

/** Those that are held back, in the order in which it will be their turn. */
class Line {
  readonly #waiting: Body[] = [];
  readonly #schedule: (turn: () => void) => void;
  #isScheduled = false;

  constructor(schedule: (turn: () => void) => void) {
    this.#schedule = schedule;
  }

  add(body: Body): void {
    body.pause();
    this.#waiting.push(body);
    this.#next();
  }

  #next(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      for (const body of this.#waiting.splice(0, AT_ONCE)) body.resume();
      this.#next();
    });
  }
}

const read = new Line((turn) => setImmediate(turn));
const discarded = new Line((turn) => setTimeout(turn, DISCARDED_MS));

/** To be called with a piece of a body when more is to come: the next one comes when the others have had their turn. */
export const readOn = (body: Body) => read.add(body);

/** The same for what nobody wants any more: a client that is cut off while it sends may never see its answer. */
export const discardOn = (body: Body) => discarded.add(body);

/** Discards the rest of what is answered before anybody has read it. */
export function useIntake(app: FastifyInstance): void {
  let discarding = 0;
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (raw.complete || raw.readableFlowing !== null) return done();
    if (discarding >= MAX_DISCARDED) reply.header('connection', 'close');
    else {
      discarding++;
      raw.once('close', () => discarding--).on('data', () => discardOn(raw));
      // Node lets go of what nobody has begun to read, and takes it in as fast as it comes; a full buffer is no beginning yet.
      raw._read(0);
    }
    done();
  });
}
