/** What comparing two documents tells whoever asks why: every pair of claims that it held against each other. */

export interface Held {
  /** Places in the claims of each side. */
  a: number;
  b: number;
  outcome: 'found' | 'left out' | 'agree' | 'apart';
  /** The guard that kept them apart, or the rule that found them. */
  why: string;
}

export interface Trace {
  pair(held: Held): void;
  /** Why the documents as a whole, or all but their records, are not held against each other. */
  whole(why: string): void;
}

/** Nobody asks when documents are compared in the service. */
export const SILENT: Trace = { pair() {}, whole() {} };

/** For two documents that are compared in the other order. */
export const swappedTrace = (trace: Trace): Trace =>
  trace === SILENT ? SILENT : { pair: (held) => trace.pair({ ...held, a: held.b, b: held.a }), whole: trace.whole };
