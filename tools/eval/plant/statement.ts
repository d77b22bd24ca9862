/** A value that a document states, and how the same thing could be said with another value. */
import type { Source } from '../read.ts';

/** A place in a text: where it begins and ends. */
export type Range = readonly [start: number, end: number];

export interface Statement {
  kind: string;
  source: Source;
  /** Where the source says it. */
  said: Range;
  from: string;
  to: string;
  /** The documents that say it with the other value, each in another form; one of them is planted. */
  forms: Form[];
}

export interface Form {
  name: 'copy' | 'extract';
  text: string;
  /** Where the text has the other value. */
  said: Range;
}

/** All of the source, with the other value in the place of the first. */
export function copyOf({ text }: Source, [start, end]: Range, to: string): Form {
  return { name: 'copy', text: text.slice(0, start) + to + text.slice(end), said: [start, start + to.length] };
}

export const overlaps = (one: Range, other: Range) => one[0] < other[1] && other[0] < one[1];
