/** The events that have come: the newest of all, and as many of those that fit the filter; held while somebody reads. */

/** Of all, and of those that fit. */
const MAX_KEPT = 5000;

/** What only says that something is missing fits every filter. */
export const fits = (event, { tenant, scope, family }) =>
  event.type === 'gap' ||
  ((!tenant || event.tenant_id === tenant) &&
    (!scope || event.scope_id === scope) &&
    (!family || event.type.startsWith(`${family}.`)));

export class EventLog {
  #all = [];
  /** Kept apart: whoever is quiet would be lost among the others. */
  #fitting = [];
  #filter = { tenant: undefined, scope: undefined, family: undefined };
  /** What was there when somebody began to read, which stays whatever comes. */
  #held = null;
  #waiting = 0;
  #news = new Map();

  /** What is held stays: somebody reads it. */
  clear() {
    this.#all = [];
    this.#fitting = [];
    this.#waiting = 0;
    this.#news.clear();
  }

  /** From now on those that fit are kept as far back as there are any; before that, as far as all are. */
  choose({ tenant, scope, family }) {
    const filter = { tenant, scope, family };
    if (isSame(filter, this.#filter)) return;
    this.#filter = filter;
    this.#fitting = this.#all.filter((event) => fits(event, filter));
    const held = new Set(this.#held?.all);
    this.#waiting = this.#held ? this.#fitting.filter((event) => !held.has(event)).length : 0;
  }

  add(event) {
    keep(this.#all, event);
    if (!fits(event, this.#filter)) return;
    keep(this.#fitting, event);
    if (this.#held) this.#waiting++;
    this.#news.set(event.type, (this.#news.get(event.type) ?? 0) + 1);
  }

  /** Where some are missing: `payload` says which. */
  addGap(payload) {
    this.add({ id: `gap ${crypto.randomUUID()}`, type: 'gap', ts: new Date().toISOString(), payload });
  }

  get isHeld() {
    return this.#held !== null;
  }

  hold(isHeld) {
    this.#held = isHeld ? { all: [...this.#all], fitting: [...this.#fitting], filter: this.#filter } : null;
    this.#waiting = 0;
  }

  /** How many of those that fit have come since. */
  get waiting() {
    return this.#waiting;
  }

  /** The newest first. */
  shown(q = '') {
    const words = q.toLowerCase();
    return this.#now.filter((event) => !words || textOf(event).includes(words)).reverse();
  }

  get #now() {
    if (!this.#held) return this.#fitting;
    const { all, fitting, filter } = this.#held;
    return isSame(filter, this.#filter) ? fitting : all.filter((event) => fits(event, this.#filter));
  }

  /** What has come since it was last asked, in words for a screen reader. */
  takeNews() {
    const words = [...this.#news].map(([type, n]) => `${n} ${type.replace('.', ' ')}`).join(', ');
    this.#news.clear();
    return words;
  }
}

function keep(list, event) {
  list.push(event);
  if (list.length > MAX_KEPT) list.shift();
}

const isSame = (one, two) => one.tenant === two.tenant && one.scope === two.scope && one.family === two.family;

const textOf = (event) => (event.$text ??= JSON.stringify(event).toLowerCase());
