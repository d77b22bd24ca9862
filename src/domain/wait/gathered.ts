/** Reads what many want to know: of a tenant in one statement after the other, and whoever asks meanwhile shares the next. */

/** Whose data is read, and in whose name: of operators, all tenants' reads are theirs. */
export interface Reader {
  tenantId: string;
  as: string;
}

/** A turn of those who read, for as long as the work takes. */
export type Turn = (whose: string, work: () => Promise<void>) => Promise<void>;

export interface GatheredOptions<Wanted, Found> {
  /** Answers in the order of what is wanted; null for what is not there. */
  load: (tenantId: string, wanted: Wanted[]) => Promise<(Found | null)[]>;
  /** So many at once. */
  most: number;
  turn: Turn;
}

interface Asked<Wanted, Found> {
  wanted: Wanted;
  answer: PromiseWithResolvers<Found | null>;
}

export class Gathered<Wanted, Found> {
  readonly #options: GatheredOptions<Wanted, Found>;
  /** By reader, what is to be read next, by name. */
  readonly #lines = new Map<string, Map<string, Asked<Wanted, Found>>>();

  constructor(options: GatheredOptions<Wanted, Found>) {
    this.#options = options;
  }

  /** Read after this was called, never before. What is wanted under one name is the same for all. */
  read(reader: Reader, name: string, wanted: Wanted): Promise<Found | null> {
    const place = `${reader.as} ${reader.tenantId}`;
    const line = this.#lines.get(place) ?? new Map<string, Asked<Wanted, Found>>();
    const asked = line.get(name) ?? { wanted, answer: Promise.withResolvers<Found | null>() };
    line.set(name, asked);
    if (!this.#lines.has(place)) {
      this.#lines.set(place, line);
      void this.#run(place, line, reader);
    }
    return asked.answer.promise;
  }

  async #run(place: string, line: Map<string, Asked<Wanted, Found>>, { tenantId, as }: Reader): Promise<void> {
    // All who were woken by the same event come in the same breath.
    await new Promise((resolve) => setImmediate(resolve));
    while (line.size > 0) {
      await this.#options
        .turn(as, () => this.#load(tenantId, this.#take(line)))
        // There was no turn to be had: whoever waited for it has waited long enough.
        .catch((error) => {
          for (const { answer } of this.#take(line, Infinity)) answer.reject(error);
        });
    }
    this.#lines.delete(place);
  }

  async #load(tenantId: string, asked: Asked<Wanted, Found>[]): Promise<void> {
    try {
      const wanted = asked.map((one) => one.wanted);
      const found = await this.#options.load(tenantId, wanted);
      for (const [n, { answer }] of asked.entries()) answer.resolve(found[n] ?? null);
    } catch (error) {
      for (const { answer } of asked) answer.reject(error);
    }
  }

  #take(line: Map<string, Asked<Wanted, Found>>, most = this.#options.most): Asked<Wanted, Found>[] {
    const taken: Asked<Wanted, Found>[] = [];
    for (const [name, asked] of line) {
      if (taken.length >= most) break;
      taken.push(asked);
      line.delete(name);
    }
    return taken;
  }
}
