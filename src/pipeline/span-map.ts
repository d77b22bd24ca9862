/** The way back from the plain text to the original: runs of characters, found by binary search. */

/** From, and up to but not including, in UTF-16 units. */
export type Span = [start: number, end: number];

/**
 * Run i is the plain text from plain[i] up to plain[i + 1], and stands for the original from from[i] up to to[i]. Where
 * both are equally long they match character by character; otherwise the run only maps as a whole, as an entity does.
 */
export interface SpanMap {
  plain: Uint32Array;
  from: Uint32Array;
  to: Uint32Array;
}

export function originalSpan(map: SpanMap, start: number, end: number): Span {
  if (end <= start) {
    const [at] = originalSpan(map, start, start + 1);
    return [at, at];
  }
  const first = runAt(map, start);
  const last = runAt(map, end - 1);
  const from = map.from[first] ?? 0;
  const to = map.to[last] ?? 0;
  return [
    isVerbatim(map, first) ? from + start - (map.plain[first] ?? 0) : from,
    isVerbatim(map, last) ? to - ((map.plain[last + 1] ?? 0) - end) : to,
  ];
}

function isVerbatim({ plain, from, to }: SpanMap, run: number): boolean {
  return (plain[run + 1] ?? 0) - (plain[run] ?? 0) === (to[run] ?? 0) - (from[run] ?? 0);
}

function runAt({ plain, from }: SpanMap, position: number): number {
  let low = 0;
  let high = from.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((plain[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

export class SpanMapBuilder {
  readonly #plain: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  #length = 0;

  /** How much of the plain text is mapped. */
  get length(): number {
    return this.#length;
  }

  /** Where in the original the last run ended. */
  get end(): number {
    return this.#to.at(-1) ?? 0;
  }

  add(length: number, from: number, to: number): void {
    const last = this.#to.length - 1;
    const verbatim = to - from === length;
    if (
      verbatim &&
      from === this.#to[last] &&
      this.#length - (this.#plain[last] ?? 0) === from - (this.#from[last] ?? 0)
    )
      this.#to[last] = to;
    else {
      this.#plain.push(this.#length);
      this.#from.push(from);
      this.#to.push(to);
    }
    this.#length += length;
  }

  finish(): SpanMap {
    this.#plain.push(this.#length);
    return { plain: new Uint32Array(this.#plain), from: new Uint32Array(this.#from), to: new Uint32Array(this.#to) };
  }
}
