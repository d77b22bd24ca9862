/** Follows a stream for as long as it is wanted: when it breaks off, it is taken up again after the last id. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocketError, readRetryAfter } from '../../client/src/errors.ts';
import { whyFailed } from '../../client/src/patience.ts';
import { type ServerEvent, SseReader } from '../../client/src/sse-reader.ts';
import { StartError } from '../errors.ts';
import { harmless } from '../terminal.ts';

export interface FollowOptions {
  url: string;
  headers: Record<string, string>;
  /** The id to go on after; null for what happens from now on. */
  after: string | null;
  stop: AbortSignal;
  /** Told in a line whenever the connection comes or goes. */
  tell: (line: string) => void;
  /** After so long without a byte a connection is dead. Three heartbeats, unless a test has less time. */
  silenceMs?: number;
}

/** Until the service has said when to come back. */
const RETRY_MS = 2000;
const MAX_RETRY_MS = 10_000;
const RETRY_GROWTH = 1.5;
const MAX_RETRY_AFTER_MS = 60_000;
/** Trying again would change nothing. */
const FINAL = new Set([400, 401, 403, 404]);

/** Why a connection ended, and for how long the service asks to be left alone. */
interface Ended {
  reason: string;
  wasOpen: boolean;
  retryAfterMs?: number;
}

interface Position {
  lastId: string;
  retryMs: number;
}

/** Ends when it is stopped; throws a StartError when the service refuses. */
export async function* follow({ silenceMs = 45_000, ...options }: FollowOptions): AsyncGenerator<ServerEvent> {
  const { stop, tell } = options;
  const position = { lastId: options.after ?? '', retryMs: RETRY_MS };
  let failures = 0;
  let told = '';
  while (!stop.aborted) {
    const { reason, wasOpen, retryAfterMs } = yield* connect({ ...options, silenceMs }, position);
    if (stop.aborted) return;
    if (wasOpen) failures = 0;
    // Said once, and not with every attempt.
    const line = `${reason}; trying again, ${begin(position)}`;
    if (wasOpen || line !== told) tell(line);
    told = line;
    const patience = Math.min(position.retryMs * RETRY_GROWTH ** failures++, MAX_RETRY_MS);
    await sleep(retryAfterMs ?? patience, undefined, { signal: stop }).catch(() => {});
  }
}

function begin({ lastId }: Position): string {
  if (lastId === '') return 'for what happens from then on';
  return lastId === '0' ? 'from the oldest event that is kept' : `after event ${harmless(lastId)}`;
}

/** One connection. Moves the position along with what it yields. */
async function* connect(
  { url, headers, stop, tell, silenceMs }: Required<FollowOptions>,
  position: Position,
): AsyncGenerator<ServerEvent, Ended> {
  let wasOpen = false;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`nothing was heard for ${silenceMs / 1000} s`)), silenceMs);
  try {
    const response = await fetch(url, {
      headers: { ...headers, ...(position.lastId && { 'last-event-id': position.lastId }) },
      signal: AbortSignal.any([stop, silence.signal]),
      // Followed to another host, it would carry the tenant's key there.
      redirect: 'manual',
    });
    if (!isStream(response)) return { ...(await refusal(response)), wasOpen };
    wasOpen = true;
    tell(`connected, ${begin(position)}`);
    const reader = new SseReader(position.lastId);
    for await (const bytes of response.body ?? []) {
      timer.refresh();
      for (const event of reader.read(bytes)) {
        position.lastId = reader.lastId;
        yield event;
      }
      position.lastId = reader.lastId;
      position.retryMs = reader.retryMs ?? position.retryMs;
    }
    return { reason: 'the stream was ended', wasOpen };
  } catch (error) {
    if (error instanceof StartError) throw error;
    // What the reader refuses would come again.
    if (error instanceof DocketError) throw new StartError(`${error.message}; is that Docket?`);
    return { reason: reasonOf(error, wasOpen), wasOpen };
  } finally {
    clearTimeout(timer);
    // Also when nobody wants more.
    silence.abort();
  }
}

const isStream = ({ status, headers }: Response) =>
  status === 200 && Boolean(headers.get('content-type')?.startsWith('text/event-stream'));

async function refusal(response: Response): Promise<{ reason: string; retryAfterMs?: number }> {
  const { status, headers, url } = response;
  const problem = (await response.json().catch(() => null)) as { detail?: unknown } | null;
  const reason = typeof problem?.detail === 'string' ? harmless(problem.detail) : `${url} answered ${status}`;
  if (FINAL.has(status)) throw new StartError(`${status}: ${reason}`);
  if (status < 500 && status !== 429 && status !== 408)
    throw new StartError(`${url} answered ${status}, and no event stream; is that Docket?`);
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  return retryAfterMs === null ? { reason } : { reason, retryAfterMs: Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) };
}

const reasonOf = (error: unknown, wasOpen: boolean) =>
  `${wasOpen ? 'the connection was lost' : 'nobody answers'} (${whyFailed(error)})`;
