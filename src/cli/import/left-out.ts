/** Counts what an import leaves out on purpose, by why, with a few names each. */
import { harmless } from '../../terminal.ts';

const EXAMPLES = 3;
/** Endings are as many as people invent. */
const MAX_REASONS = 20;
const FURTHER = 'of further kinds';

export class LeftOut {
  readonly #byReason = new Map<string, { count: number; examples: string[] }>();

  note(reason: string, name: string): void {
    const isNew = !this.#byReason.has(reason);
    const key = isNew && this.#byReason.size >= MAX_REASONS ? FURTHER : reason;
    const entry = this.#byReason.get(key) ?? { count: 0, examples: [] };
    this.#byReason.set(key, entry);
    entry.count++;
    if (entry.examples.length < EXAMPLES) entry.examples.push(name);
  }

  get count(): number {
    return [...this.#byReason.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** A line for each reason, those with most first. */
  lines(): string[] {
    return [...this.#byReason]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([reason, { count, examples }]) => {
        const more = count > examples.length ? ', …' : '';
        return `left out, ${harmless(reason)}: ${count} (${examples.map(harmless).join(', ')}${more})`;
      });
  }
}
