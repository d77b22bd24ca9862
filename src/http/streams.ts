/** The streams that this process has open: how many, for whom, and for how long their keys are good. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type EventType, eventKinds } from '../contract/events.ts';
import type { Keyring } from '../domain/keyring.ts';
import { AppError, invalid } from '../errors.ts';
import type { Hub } from '../events/hub.ts';
import type { Filter } from '../events/past.ts';
import { keysOf } from './request-keys.ts';
import { SseStream } from './sse.ts';

export interface StreamsOptions {
  hub: Hub;
  keyring: Keyring;
  most: number;
  mostPerTenant: number;
}

const HEARTBEAT_MS = 15_000;
/** With the time for which the keyring remembers, a revoked key is cut off within 5 s. */
const CHECK_KEYS_MS = 1500;
const RETRY_AFTER_S = 5;

interface Open {
  stream: SseStream;
  /** It has all that was published, and hears of what is new. */
  isUpToDate: boolean;
  tenantId: string | null;
  keys: string[];
}

export class Streams {
  readonly #options: StreamsOptions;
  readonly #open = new Set<Open>();
  readonly #timers: NodeJS.Timeout[];
  #closed = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#timers = [
      setInterval(() => {
        for (const open of this.#open) this.#beat(open);
      }, HEARTBEAT_MS).unref(),
      setInterval(() => void this.#checkKeys(), CHECK_KEYS_MS).unref(),
    ];
  }

  get size(): number {
    return this.#open.size;
  }

  /** Answers a request with a stream. Everything that can be wrong with it is said before the first byte. */
  async open(request: FastifyRequest, reply: FastifyReply, scope: Filter['scope']): Promise<void> {
    const { hub } = this.#options;
    const after = lastEventId(request);
    const types = typesOf(request);
    if (after !== null && !(await hub.knows(after)))
      throw invalid('headers/last-event-id', 'is newer than any event; leave it out to begin now');
    this.#makeSure(request.tenantId);

    const stream = new SseStream(request, reply);
    const open: Open = { stream, isUpToDate: false, tenantId: request.tenantId, keys: keysOf(request) };
    this.#open.add(open);
    let leave = () => {};
    void stream.ended.then(() => {
      this.#open.delete(open);
      leave();
    });
    try {
      leave = await hub.subscribe({ scope, types }, after, stream);
      if (!stream.isOpen) leave();
      open.isUpToDate = true;
      this.#beat(open);
    } catch (error) {
      if (!stream.isOpen) return;
      // Halfway through its past: it comes back and goes on where it was.
      request.log.warn({ err: error }, 'a stream was ended');
      stream.end();
    }
  }

  #makeSure(tenantId: string | null): void {
    const { most, mostPerTenant } = this.#options;
    const ofTenant = tenantId === null ? 0 : [...this.#open].filter((open) => open.tenantId === tenantId).length;
    if (!this.#closed && this.#open.size < most && ofTenant < mostPerTenant) return;
    const detail = this.#closed
      ? 'This node is closing; connect again.'
      : ofTenant >= mostPerTenant
        ? `This tenant has ${mostPerTenant} streams open, which is as many as it may; close one.`
        : `This node has ${most} streams open, which is as many as it may; try again, or another node.`;
    throw new AppError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S });
  }

  /** Each can resume elsewhere. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const { stream } of this.#open) stream.end();
  }

  /**
   * So that nobody between us takes a quiet stream for a dead one; and so that whoever is cut off before its first event,
   * or long after its last, resumes from here and not from now.
   */
  #beat({ stream, isUpToDate }: Open): void {
    stream.send(`${isUpToDate ? `id: ${this.#options.hub.position}\n` : ''}: still here\n\n`);
  }

  async #checkKeys(): Promise<void> {
    const good = new Map<string, boolean>();
    for (const key of new Set([...this.#open].flatMap(({ keys }) => keys))) {
      const credential = await this.#options.keyring.identify(key).catch(() => 'unknown');
      good.set(key, credential !== null);
    }
    for (const { stream, keys } of this.#open) if (keys.some((key) => good.get(key) === false)) stream.end();
  }
}

/** Null for a stream that begins now. Nonsense is refused: taken for none, it would lose events in silence. */
function lastEventId({ headers, query }: FastifyRequest): number | null {
  const fromHeader = headers['last-event-id'];
  const fromQuery = (query as { last_event_id?: string }).last_event_id;
  const text = fromHeader ?? fromQuery;
  if (text === undefined) return null;
  const path = fromHeader === undefined ? 'query/last_event_id' : 'headers/last-event-id';
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) throw invalid(path, 'must be the id of an event, or 0');
  return Number(text);
}

function typesOf({ query }: FastifyRequest): ReadonlySet<string> | null {
  const { types } = query as { types?: string };
  if (types === undefined) return null;
  const known = Object.keys(eventKinds) as EventType[];
  return new Set(
    types.split(',').flatMap((part) => {
      const name = part.trim();
      const meant = known.filter(
        (type) => type === name || (name.endsWith('.*') && type.startsWith(name.slice(0, -1))),
      );
      if (meant.length === 0) throw invalid('query/types', `must name types of events; there is no ${name}`);
      return meant;
    }),
  );
}
