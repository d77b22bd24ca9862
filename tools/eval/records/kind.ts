/** A kind of record: what each of its things is called, what is said of it, and how that is written as a document. */
import type { Chance } from '../../../storm/chance.ts';

export interface Field {
  label: string;
  value(chance: Chance): string;
  /** The field as a sentence of another document; a field without one is never contradicted. */
  says?(subject: string, value: string): string;
  /** A sentence that has another value and contradicts nothing: a plan, a part, another thing. */
  tempts?(subject: string, other: string): string;
}

/** What a thing has in each field, by its label. */
export type Values = Map<string, string>;

export interface Kind {
  name: string;
  /** Of its documents. */
  type: string;
  /** What the nth thing is called, which no other thing is: with its period, if it has one. */
  subject(n: number): string;
  fields: Field[];
  write(subject: string, values: Values): string;
}
