/** Follows a stream of events for as long as it is wanted, and takes it up after the last id when it breaks off. */
import { checkPath, note, Problem } from './api.js';
import { passHeaders } from './pass.js';

const RETRY_MS = 2000;
const MAX_RETRY_MS = 10_000;
/** Three heartbeats. */
const SILENCE_MS = 45_000;
/** An event of Docket's is a few hundred characters. */
const MAX_EVENT_CHARACTERS = 1024 * 1024;
/** Trying again would change nothing. */
const FINAL = new Set([400, 403, 404]);

/**
 * `position.lastId` is where it begins, and is moved along; `onEvent(type, data)` gets what comes; `onState` is told `connecting`, `open`, `waiting` or `refused`. Resolves when the
 * signal ends it, or when the service refuses it.
 */
export async function follow(path, { position, signal, onEvent, onState }) {
  position.retryMs = RETRY_MS;
  let failures = 0;
  while (!signal.aborted) {
    onState('connecting', '');
    try {
      await connect(path, position, signal, onEvent, () => {
        failures = 0;
        onState('open', '');
      });
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof Problem && FINAL.has(error.status)) {
        return onState('refused', error.message);
      }
      onState('waiting', error instanceof Problem ? error.message : 'The connection was lost.');
    }
    if (!signal.aborted) await sleep(Math.min(position.retryMs * 1.5 ** failures++, MAX_RETRY_MS), signal);
  }
}

async function connect(path, position, signal, onEvent, onOpen) {
  checkPath(path);
  const silence = new AbortController();
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    heard();
    const response = await fetch(`/service${path}`, {
      headers: { ...passHeaders(), ...(position.lastId && { 'last-event-id': position.lastId }) },
      signal: AbortSignal.any([signal, silence.signal]),
      cache: 'no-store',
    });
    if (!response.ok) throw await problemOf(response);
    note(null);
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      for (const block of parser.read(value)) {
        if (block.retry) position.retryMs = Number(block.retry);
        if (block.data) onEvent(block.event, JSON.parse(block.data));
        if (block.id) position.lastId = block.id;
      }
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

async function problemOf(response) {
  const content = await response.json().catch(() => ({}));
  const problem = new Problem(
    response.status,
    content.code ?? 'unknown',
    content.detail ?? `It answered ${response.status}.`,
  );
  note(problem);
  return problem;
}

/** The service ends its lines in LF and writes `data` on one of them. */
export class EventParser {
  #rest = '';

  *read(text) {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop();
    for (const block of blocks) yield Object.fromEntries(block.split('\n').map(fieldOf));
    // As if refused: the stream would be taken up at the same event.
    if (this.#rest.length > MAX_EVENT_CHARACTERS)
      throw new Problem(400, 'endless', 'An event of the stream has no end.');
  }
}

function fieldOf(line) {
  const colon = line.indexOf(':');
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

const sleep = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
