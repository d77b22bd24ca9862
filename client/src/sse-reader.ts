/** Reads server-sent events out of bytes, as the HTML standard has it and however the bytes are cut. */
import { DocketError } from './errors.ts';

export interface ServerEvent {
  id: string;
  type: string;
  data: string;
}

/** An event of Docket's is a few hundred characters. */
const MAX_EVENT_CHARACTERS = 1024 * 1024;

export class SseReader {
  /** Of the last event that was complete: what a new connection goes on after. */
  lastId: string;
  /** When to come back after the stream has ended; null until the service has said it. */
  retryMs: number | null = null;
  // Keeps the bytes of a character that is cut in two, and drops a mark at the beginning.
  readonly #decoder = new TextDecoder();
  #rest = '';
  #afterCr = false;
  #id: string;
  #type = '';
  #data = '';
  #hasData = false;

  constructor(lastId: string) {
    this.lastId = lastId;
    this.#id = lastId;
  }

  *read(bytes: Uint8Array): Generator<ServerEvent> {
    for (const line of this.#lines(this.#decoder.decode(bytes, { stream: true }))) {
      if (line !== '') this.#field(line);
      else {
        const event = this.#complete();
        if (event) yield event;
      }
    }
    if (this.#rest.length + this.#data.length > MAX_EVENT_CHARACTERS)
      throw new DocketError('unexpected_answer', 'An event of the stream has no end');
  }

  /** Lines end in CR, LF or both. A CR ends one at once: what is waited for after it may be a long time coming. */
  *#lines(text: string): Generator<string> {
    if (text === '') return;
    const fresh = this.#afterCr && text.startsWith('\n') ? text.slice(1) : text;
    this.#afterCr = text.endsWith('\r');
    const lines = (this.#rest + fresh).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() as string;
    yield* lines;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') {
      this.#data += this.#hasData ? `\n${value}` : value;
      this.#hasData = true;
    } else if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    // A comment has no name, and what is unknown is left alone.
  }

  /** An id counts also when it comes without data. */
  #complete(): ServerEvent | null {
    this.lastId = this.#id;
    const event = this.#hasData ? { id: this.#id, type: this.#type || 'message', data: this.#data } : null;
    this.#type = '';
    this.#data = '';
    this.#hasData = false;
    return event;
  }
}
