/**
 * Remembers answers of the database for a moment: asked once for a burst, bounded in number, failures forgotten. All names that
 * wait are asked for in one question, and a question at a time: however many guess names, they have one query between them.
 */

/** So many names are asked for at once. */
const ASKED_AT_ONCE = 1000;

/** Names to ask for, in one question after the other. */
interface Line {
  names: Set<string>;
  isAsking: boolean;
}

interface Asked<Value> {
  promise: Promise<Value | null>;
  resolve: (value: Value | null) => void;
  reject: (error: unknown) => void;
}

export class Remember<Value> {
  readonly #load: (names: string[]) => Promise<Map<string, Value>>;
  readonly #forMs: number;
  readonly #most: number;
  readonly #weigh: (value: Value) => number;
  /** How often it was known, and how often it was asked for or waited for. */
  readonly counts = { hits: 0, misses: 0 };
  #weight = 0;
  /** What was found; too old, it still tells a name that exists from a guess. */
  readonly #known = new Map<string, { asked: number; value: Value }>();
  readonly #asked = new Map<string, Asked<Value>>();
  /** Those that were known before have a line of their own, and never wait for guesses. */
  readonly #again: Line = { names: new Set(), isAsking: false };
  readonly #first: Line = { names: new Set(), isAsking: false };

  /** Values may differ in size: `weigh` says how many of the `most` one stands for. */
  constructor(
    load: (names: string[]) => Promise<Map<string, Value>>,
    forMs: number,
    most: number,
    weigh: (value: Value) => number = () => 1,
  ) {
    this.#load = load;
    this.#forMs = forMs;
    this.#most = most;
    this.#weigh = weigh;
  }

  find(name: string): Promise<Value | null> | Value {
    const known = this.#known.get(name);
    if (known && performance.now() - known.asked < this.#forMs) {
      this.counts.hits++;
      return known.value;
    }
    this.counts.misses++;
    const asked = this.#asked.get(name);
    if (asked) return asked.promise;

    const asking = Promise.withResolvers<Value | null>();
    this.#asked.set(name, asking);
    const line = known ? this.#again : this.#first;
    line.names.add(name);
    if (!line.isAsking) void this.#ask(line);
    return asking.promise;
  }

  forget(name?: string): void {
    // A question that is under way may have been answered before what is to be forgotten.
    for (const gone of name === undefined ? [...this.#known.keys(), ...this.#asked.keys()] : [name]) {
      this.#drop(gone);
      if (!this.#again.names.has(gone) && !this.#first.names.has(gone)) this.#asked.delete(gone);
    }
  }

  async #ask(line: Line): Promise<void> {
    line.isAsking = true;
    while (line.names.size > 0) {
      const names = take(line, ASKED_AT_ONCE);
      const asked = names.map((name) => this.#asked.get(name) as Asked<Value>);
      const at = performance.now();
      try {
        const found = await this.#load(names);
        for (const [n, name] of names.entries())
          this.#answer(name, asked[n] as Asked<Value>, found.get(name) ?? null, at);
      } catch (error) {
        for (const [n, name] of names.entries()) this.#fail(name, asked[n] as Asked<Value>, error);
        // Whoever waited as long would wait as long again.
        for (const name of take(line, Infinity)) this.#fail(name, this.#asked.get(name) as Asked<Value>, error);
      }
    }
    line.isAsking = false;
  }

  #fail(name: string, asking: Asked<Value>, error: unknown): void {
    if (this.#asked.get(name) === asking) this.#asked.delete(name);
    asking.reject(error);
  }

  #answer(name: string, asking: Asked<Value>, value: Value | null, at: number): void {
    if (this.#asked.get(name) === asking) {
      this.#asked.delete(name);
      this.#drop(name);
      // Only what was found is worth a place: guesses would push the rest out.
      if (value !== null) this.#keep(name, value, at);
    }
    asking.resolve(value);
  }

  #keep(name: string, value: Value, at: number): void {
    this.#known.set(name, { asked: at, value });
    this.#weight += this.#weigh(value);
    for (const oldest of this.#known.keys()) {
      if (this.#weight <= this.#most) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    const known = this.#known.get(name);
    if (!known) return;
    this.#known.delete(name);
    this.#weight -= this.#weigh(known.value);
  }
}

function take({ names }: Line, most: number): string[] {
  const taken: string[] = [];
  for (const name of names) {
    if (taken.length === most) break;
    taken.push(name);
    names.delete(name);
  }
  return taken;
}
