/** The bystander's figures: percentiles of what it saw, and medians over rounds. Pure. */
import { quantile } from '../storm/journal.ts';
import type { Posted } from './bystander/posts.ts';

export interface Figures {
  /** Of accepting, in ms. */
  p50: number;
  p99: number;
  /** From acceptance to processed, in ms; infinite when too many never were. */
  processedP95: number;
}

export interface Phase extends Figures {
  refused: Record<string, number>;
}

const sorted = (values: number[]) => [...values].sort((a, b) => a - b);

export function figuresOf({ latencies, refused }: Posted, processed: number[]): Phase {
  const accepted = sorted(latencies);
  // Whoever had nothing accepted waits for ever.
  const at = (values: number[], share: number) =>
    values.length > 0 ? quantile(values, share) : Number.POSITIVE_INFINITY;
  return {
    p50: at(accepted, 0.5),
    p99: at(accepted, 0.99),
    processedP95: at(sorted(processed), 0.95),
    refused,
  };
}

/** Each figure by itself; what was refused adds up. */
export function medianOf(rounds: Phase[]): Phase {
  const middle = (name: keyof Figures) => quantile(sorted(rounds.map((round) => round[name])), 0.5);
  const refused: Phase['refused'] = {};
  for (const round of rounds)
    for (const [status, times] of Object.entries(round.refused)) refused[status] = (refused[status] ?? 0) + times;
  return { p50: middle('p50'), p99: middle('p99'), processedP95: middle('processedP95'), refused };
}
