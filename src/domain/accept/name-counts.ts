/** How many of those who wait have a name: whoever has none in common with them need not be held against each. */
export class NameCounts {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  add(names: string[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  remove(names: string[]): void {
    for (const name of names) {
      const left = (this.#counts.get(name) ?? 0) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }
}
