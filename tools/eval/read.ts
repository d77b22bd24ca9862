/** Reads texts the way a thread of the service does, each once, and holds two of them against each other. */
import type { ClaimSet } from '../../src/pipeline/claim.ts';
import type { Side } from '../../src/pipeline/reconcile/side.ts';
import { pipeline } from '../../src/runtime/pipeline.ts';
import type { Found, Reading } from '../../src/runtime/thread.ts';

export interface Source {
  name: string;
  type: string;
  text: string;
}

export interface Document {
  source: Source;
  reading: Reading;
  claims: ClaimSet;
  /** What is compared. */
  side: Side;
  keys: Set<number>;
}

export function readSource(source: Source): Document {
  const { reading, claims: side } = pipeline.read(source);
  return { source, reading, claims: side.set, side, keys: new Set(reading.keys) };
}

/** Two documents that share no key are not compared by the service either. */
export function foundBetween(a: Document, b: Document): Found[] {
  const [few, many] = a.keys.size < b.keys.size ? [a, b] : [b, a];
  for (const key of few.keys) if (many.keys.has(key)) return pipeline.compare(a.side, [b.side]);
  return [];
}
