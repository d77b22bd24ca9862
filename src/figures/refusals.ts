/** How often it was refused for a reason that may pass: 429 by the limit, 503 by what was missing. */
import { type AppError, unavailableReasons } from '../errors.ts';
import type { Family, Sample } from './text.ts';

/** `other` is for one that is missing here: a name makes a figure for ever, and none comes from a request. */
const LIMITS = [
  'rate_per_s',
  'bytes_per_s',
  'reads_per_s',
  'reports_per_s',
  'backlog',
  'bodies',
  'streams',
  'exports',
  'other',
] as const;

export class Refusals {
  readonly #limits = zeros(LIMITS);
  readonly #reasons = zeros(unavailableReasons);

  /** Whatever else an error is does not count. */
  count({ code, limit, reason }: AppError): void {
    if (code === 'too_many_requests') add(this.#limits, limit?.name);
    if (code === 'unavailable') add(this.#reasons, reason);
  }

  family(): Family {
    return {
      name: 'docket_http_refusals_total',
      help: 'Requests that this process refused with 429, by the limit, or with 503, by what was missing',
      type: 'counter',
      samples: [...samples('429', this.#limits), ...samples('503', this.#reasons)],
    };
  }
}

const zeros = (names: readonly string[]) => new Map(names.map((name) => [name, 0]));

function add(counts: Map<string, number>, name = 'other'): void {
  const known = counts.has(name) ? name : 'other';
  counts.set(known, (counts.get(known) as number) + 1);
}

function samples(status: string, counts: Map<string, number>): Sample[] {
  return [...counts].map(([reason, value]) => ({ labels: { status, reason }, value }));
}
