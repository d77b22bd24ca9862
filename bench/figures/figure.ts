/** A figure of the table: what it asks for, and how it is measured. */
import type { Stores } from '../parts/stores.ts';

export interface Row {
  /** Of this figure and no other: the table is merged by it. */
  title: string;
  /** Without a target it is only told. */
  target?: { sign: '≥' | '≤'; value: number; stretch?: number };
  /** What it was before the turn over many lanes. */
  before?: string;
}

/** Either what was measured, or why nothing was. `doubt`: why it does not count. */
export type Outcome = { value: number; doubt?: string } | { missing: string };

export interface Figure {
  /** By which it is run alone. */
  name: string;
  bench: 'process' | 'accept' | 'read' | 'follow' | 'bulk';
  rows: Row[];
  /** It takes so long that it is run only with --long, or when named; --quick has a short form of it. */
  isLong?: boolean;
  /** One outcome for each row, in order. */
  measure(stores: Stores): Promise<Outcome[]>;
}

export const isMet = ({ target }: Row, value: number): boolean | null =>
  target ? (target.sign === '≥' ? value >= target.value : value <= target.value) : null;
