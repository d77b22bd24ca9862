/** What the oracle objects to: how often, and the first few of each by name. */

export const OBJECTIONS = [
  'lost',
  'phantom',
  'duplicated',
  'gaps',
  'stuck',
  'events',
  'claims',
  'contradictions',
  'counters',
  'leaked',
] as const;

export type Objection = (typeof OBJECTIONS)[number];

const EXAMPLES = 3;

export class Verdict {
  readonly counts: Record<Objection, number> = Object.fromEntries(OBJECTIONS.map((name) => [name, 0])) as never;
  readonly examples: string[] = [];

  object(objection: Objection, what: string, times = 1): void {
    if (times <= 0) return;
    if (this.counts[objection] < EXAMPLES) this.examples.push(`${objection}: ${what}`);
    this.counts[objection] += times;
  }

  /** That there are to be so many. */
  expect(objection: Objection, what: string, seen: number, wanted: number): void {
    if (seen !== wanted) this.object(objection, `${what}: ${seen} instead of ${wanted}`, Math.abs(seen - wanted));
  }

  get isClean(): boolean {
    return OBJECTIONS.every((name) => this.counts[name] === 0);
  }

  /** As "lost 2, gaps 1"; empty when there is nothing. */
  toString(): string {
    return OBJECTIONS.filter((name) => this.counts[name] > 0)
      .map((name) => `${name} ${this.counts[name]}`)
      .join(', ');
  }
}
