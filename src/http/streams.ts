/** The streams that this process has open: how many, for whom, and until when. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { eventKinds, tenantEventTypes } from '../contract/events.ts';
import { AppError, invalid } from '../errors.ts';
import type { Filter } from '../events/filter.ts';
import type { Hub } from '../events/hub.ts';
import type { KeyWatch } from './key-watch.ts';
import { keyPrefixesOf } from './request-keys.ts';
import { SseStream } from './sse.ts';

export interface StreamsOptions {
  hub: Hub;
  keyWatch: KeyWatch;
  most: number;
  mostPerTenant: number;
}

const HEARTBEAT_MS = 15_000;
const RETRY_AFTER_S = 5;
/** The rest is for operators, who have to see something when tenants are many. */
const TENANTS_SHARE = 0.95;

interface Open {
  stream: SseStream;
  /** The id after which it began. */
  from: number;
  /** It has all that was published, and hears of what is new. */
  isUpToDate: boolean;
  tenantId: string | null;
}

export class Streams {
  readonly #options: StreamsOptions;
  readonly #open = new Set<Open>();
  /** How many of them each tenant has: counted one by one for each that comes, many would make a loop of comers dear. */
  readonly #ofTenant = new Map<string, number>();
  readonly #beating: NodeJS.Timeout;
  #closed = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#beating = setInterval(() => {
      for (const open of this.#open) this.#beat(open);
    }, HEARTBEAT_MS).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Answers a request with a stream. Everything that can be wrong with it is said before the first byte. */
  async open(request: FastifyRequest, reply: FastifyReply, wanted: Omit<Filter, 'types'>): Promise<void> {
    const { hub, keyWatch } = this.#options;
    const after = lastEventId(request);
    const types = wantedTypes(request, wanted.isForTenant ? tenantEventTypes : Object.keys(eventKinds));
    if (after !== null && !(await hub.knows(after)))
      throw invalid('headers/last-event-id', 'is newer than any event; leave it out to begin now');
    this.#makeSure(request.tenantId, wanted);

    const from = after ?? (await hub.newest());
    const stream = new SseStream(request, reply);
    const open: Open = { stream, from, isUpToDate: false, tenantId: request.tenantId };
    this.#add(open);
    const unwatch = keyWatch.watch(keyPrefixesOf(request), () => stream.end());
    const ending = request.tokenEnds === null ? undefined : this.#endAt(request.tokenEnds, open);
    let leave = () => {};
    void stream.ended.then(() => {
      clearTimeout(ending);
      unwatch();
      this.#remove(open);
      leave();
    });
    try {
      leave = await hub.subscribe({ ...wanted, types }, from, stream);
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

  #add(open: Open): void {
    this.#open.add(open);
    if (open.tenantId !== null) this.#ofTenant.set(open.tenantId, this.#countOf(open.tenantId) + 1);
  }

  #remove(open: Open): void {
    this.#open.delete(open);
    if (open.tenantId === null) return;
    const left = this.#countOf(open.tenantId) - 1;
    if (left > 0) this.#ofTenant.set(open.tenantId, left);
    else this.#ofTenant.delete(open.tenantId);
  }

  #countOf(tenantId: string): number {
    return this.#ofTenant.get(tenantId) ?? 0;
  }

  #makeSure(tenantId: string | null, { isForTenant }: Pick<Filter, 'isForTenant'>): void {
    const { most: mostOfAll, mostPerTenant } = this.#options;
    const most = isForTenant ? Math.max(1, Math.floor(mostOfAll * TENANTS_SHARE)) : mostOfAll;
    const ofTenant = tenantId === null ? 0 : this.#countOf(tenantId);
    if (!this.#closed && this.#open.size < most && ofTenant < mostPerTenant) return;
    const detail = this.#closed
      ? 'This node is closing; connect again.'
      : ofTenant >= mostPerTenant
        ? `This tenant has ${mostPerTenant} streams open, which is as many as it may; close one.`
        : `This node has ${most} streams open, which is as many as it may; try again, or another node.`;
    const reason = this.#closed ? 'ending' : 'streams';
    throw new AppError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S, reason });
  }

  /** Each can resume elsewhere. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#beating);
    for (const { stream } of this.#open) stream.end();
  }

  /**
   * So that nobody between us takes a quiet stream for a dead one; and so that whoever is cut off before its first event,
   * or long after its last, resumes from here and not from now.
   */
  #beat(open: Open): void {
    open.stream.send(`${this.#placeOf(open)}: still here\n\n`);
  }

  /** It may have begun after what this node has published so far. */
  #placeOf({ from, isUpToDate }: Open): string {
    return isUpToDate ? `id: ${Math.max(from, this.#options.hub.position)}\n` : '';
  }

  /** Says so, and from where to go on with the next token. No token is good for longer than a timer can wait. */
  #endAt(at: number, open: Open): NodeJS.Timeout {
    const end = () => {
      open.stream.send(
        `${this.#placeOf(open)}event: expired\ndata: ${JSON.stringify({ expired_at: new Date(at).toISOString() })}\n\n`,
      );
      open.stream.end();
    };
    return setTimeout(end, at - Date.now()).unref();
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

function wantedTypes({ query }: FastifyRequest, known: readonly string[]): ReadonlySet<string> | null {
  const { types } = query as { types?: string };
  if (types === undefined) return null;
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
