/** Reads server-sent events out of bytes, as the HTML standard has it and however the bytes are cut. */

export interface ServerEvent {
  id: string;
  type: string;
  data: string;
}

export class SseReader {
  /** Of the last event that was complete: what a new connection goes on after. */
  lastId: string;
  /** When to come back after the stream has ended; null until the server has said it. */
  retryMs: number | null = null;
  // Keeps the bytes of a character that is cut in two, and drops a mark at the beginning.
  readonly #decoder = new TextDecoder();
  #rest = '';
  #afterCr = false;
  #id: string;
  #type = '';
  #data: string[] = [];

  constructor(lastId = '') {
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
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    // A comment has no name, and what is unknown is left alone.
  }

  /** An id counts also when it comes without data. */
  #complete(): ServerEvent | null {
    this.lastId = this.#id;
    const event = { id: this.#id, type: this.#type || 'message', data: this.#data.join('\n') };
    const hasData = this.#data.length > 0;
    this.#type = '';
    this.#data = [];
    return hasData ? event : null;
  }
}
