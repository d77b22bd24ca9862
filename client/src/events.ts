/** Follows what happens for as long as it is wanted: when the stream breaks off, it is taken up again after the last id. */
import type * as Api from './api-types.ts';
import { piecesOf } from './body.ts';
import { DocketError, UnauthorizedError } from './errors.ts';
import { Patience } from './patience.ts';
import { mayPass, pause, pauseOf, type RetryOptions } from './retries.ts';
import { type ServerEvent, SseReader } from './sse-reader.ts';
import { type CallOptions, pathOf, type Transport } from './transport.ts';

type OperatorsEvent =
  | Api.EventDocumentAccepted
  | Api.EventDocumentQueued
  | Api.EventDocumentProcessed
  | Api.EventDocumentFailed
  | Api.EventDocumentSuperseded
  | Api.EventDocumentDeleted
  | Api.EventContradictionDetected
  | Api.EventContradictionRetracted
  | Api.EventContradictionReopened
  | Api.EventContradictionReported
  | Api.EventContradictionResolved
  | Api.EventContradictionDeferred
  | Api.EventScopeCreated
  | Api.EventScopeIngestTriggered
  | Api.EventScopeConverged
  | Api.EventScopeReopened
  | Api.EventScopeReset
  | Api.EventScopeDeleted;

type EventOf<T extends Api.TenantEvent['type']> = Omit<Api.TenantEvent, 'type' | 'payload'> & {
  type: T;
  payload: Extract<OperatorsEvent, { type: T }>['payload'];
};

/** Events in between are no longer kept: read the state afresh over the other routes. */
export interface GapEvent {
  id: string;
  type: 'gap';
  requested_after: string;
  missing_up_to: string;
}

/** Told apart by `type`. Expect further types, and let what you do not know pass. */
export type DocketEvent = { [T in Api.TenantEvent['type']]: EventOf<T> }[Api.TenantEvent['type']] | GapEvent;

export interface EventsOptions extends CallOptions {
  /** Such as `document.processed`, or `document.*` for all that begin so; all of them, when it is left out. */
  types?: string[] | undefined;
  /** Of one scope; of all that the key may read, when it is left out. */
  scopeId?: string | undefined;
  /** To go on after; `0` is the oldest event that is kept. What happens from now on, when it is left out. */
  lastEventId?: string | undefined;
  /**
   * In place of the key, for pages, which should have none: asked for a token of POST /api/stream-tokens whenever one is needed.
   * What it fails with ends the events; one that is not there after `silenceMs` is asked for again.
   */
  token?: (() => Promise<string>) | undefined;
  /** After so long without a byte a connection is dead: three heartbeats, unless it is said. */
  silenceMs?: number | undefined;
}

const SILENCE_MS = 45_000;

interface Place {
  lastId: string;
  /** When the service wants to see whoever was cut off. */
  retryMs: number;
}

/**
 * Ends when its signal is given. Before it was open for the first time it fails as any call does; after that it comes back
 * as often as it takes, until the service refuses it.
 */
export async function* follow(
  transport: Transport,
  { maxRetries, retryMs }: RetryOptions,
  options: EventsOptions,
): AsyncGenerator<DocketEvent> {
  const place = { lastId: options.lastEventId ?? '', retryMs };
  const { signal, token } = options;
  let failures = 0;
  let wasOpen = false;
  let refusals = 0;
  while (!signal?.aborted) {
    let ended: unknown = null;
    try {
      for await (const event of connection(transport, options, place)) {
        [failures, refusals, wasOpen] = [0, 0, true];
        if (event !== null) yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      ended = error;
    }
    // A token that has ended is refused; the next one should not be.
    const isStale = token !== undefined && ended instanceof UnauthorizedError && refusals++ === 0;
    if (ended !== null && !isStale && !mayPass(ended)) throw ended;
    if (!wasOpen && failures >= maxRetries && ended !== null) throw ended;
    const why = ended instanceof DocketError ? ended : new DocketError('connection_failed', 'The stream was ended');
    await pause(pauseOf(why, failures++, place.retryMs), signal).catch(() => {});
  }
}

/** One connection. Gives null once it is open, and moves the place along with what it gives. */
async function* connection(
  transport: Transport,
  { types, scopeId, signal, token, silenceMs = SILENCE_MS }: EventsOptions,
  place: Place,
): AsyncGenerator<DocketEvent | null> {
  const patience = new Patience(silenceMs, signal);
  try {
    const template = scopeId === undefined ? '/api/events' : '/api/scopes/{scopeId}/events';
    const path = { ...(scopeId !== undefined && { scopeId }) };
    const query = { types: types?.join(','), ...(token && { token: await patience.within(token()) }) };
    const sender = token ? transport.without('x-tenant-api-key') : transport;
    const headers = { ...(place.lastId !== '' && { 'last-event-id': place.lastId }) };
    const response = await sender.open({ method: 'GET', path: pathOf(template, path, query), headers }, patience);
    yield null;
    const reader = new SseReader(place.lastId);
    for await (const piece of piecesOf(response, patience)) {
      for (const event of reader.read(piece)) {
        place.lastId = reader.lastId;
        if (event.type !== 'expired') yield parsed(event);
      }
      place.lastId = reader.lastId;
      place.retryMs = reader.retryMs ?? place.retryMs;
    }
  } finally {
    patience.end();
  }
}

/** Another line than JSON is not Docket's; what is new in it is passed on. */
function parsed({ id, type, data }: ServerEvent): DocketEvent {
  try {
    const envelope = JSON.parse(data) as DocketEvent;
    return type === 'gap' ? { ...(envelope as GapEvent), id, type } : envelope;
  } catch (cause) {
    throw new DocketError('unexpected_answer', `Event ${id} is not JSON`, { cause });
  }
}
