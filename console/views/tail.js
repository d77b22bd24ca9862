/** The tail of events. It outlives the view: who follows a link out of it and comes back finds what was there, and what came since. */
import { follow } from '../core/sse.js';
import { EventLog } from './event-log.js';

/** Who was away for longer is told so, and not given what may be hours of events. */
const MAX_AWAY_MS = 5 * 60_000;

export class Tail {
  log = new EventLog();
  status = { state: 'connecting', detail: '' };
  #path = null;
  #position = { lastId: '' };
  #stop = null;
  #leftAt = 0;

  /** Follows this stream, or none, until it is left; `onChange` is called when something has come. What was kept of another one goes. */
  follow(path, onChange) {
    if (path === this.#path && this.#stop) return;
    this.#stop?.abort();
    this.#stop = null;
    if (path !== this.#path) this.#begin(path);
    else if (Date.now() - this.#leftAt > MAX_AWAY_MS) this.#skip();
    if (path === null) return;
    const stop = new AbortController();
    this.#stop = stop;
    follow(path, {
      position: this.#position,
      signal: stop.signal,
      onEvent: (type, event) => {
        if (type === 'gap') this.log.addGap(event);
        else this.log.add(event);
        onChange();
      },
      onState: (state, detail) => {
        if (stop.signal.aborted) return;
        this.status = { state, detail };
        onChange();
      },
    });
  }

  /** What it has is kept, and where it was. */
  leave() {
    this.#stop?.abort();
    if (this.#stop) this.#leftAt = Date.now();
    this.#stop = null;
    this.status = { state: 'asleep', detail: '' };
  }

  #begin(path) {
    this.#path = path;
    this.#position = { lastId: '' };
    this.status = { state: 'connecting', detail: '' };
    this.log.clear();
  }

  #skip() {
    if (this.#position.lastId) this.log.addGap({ from: new Date(this.#leftAt).toISOString() });
    this.#position = { lastId: '' };
  }
}

export const tail = new Tail();
