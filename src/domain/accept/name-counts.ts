/** How many of those who wait have a name: whoever has none in common with them need not be held against each. */
export class NameCounts {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(names: string[]): void {
    for (const name of names) this.#counts.set(name, this.of(name) + 1);
  }

  remove(names: string[]): void {
    for (const name of names) {
      const left = this.of(name) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }
}
