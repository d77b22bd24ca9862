/** Counts what came of the files of an import, and tells what went wrong as it does, up to a number. */
import { harmless } from '../../terminal.ts';
import { counted, inWords } from '../progress-line.ts';
import type { Fail } from './walk.ts';

/** Whoever imports a folder of the wrong kind need not read a million lines. */
const MAX_TOLD = 50;

export class Tally {
  readonly #tell: (line: string) => void;
  /** Accepted by the service. */
  sent = 0;
  /** How many of those it had already, with the same content. */
  known = 0;
  unchanged = 0;
  failed = 0;
  /** How much of the files is done with, in one way or another. */
  bytes = 0;
  /** Of the newest document that was accepted. */
  lastSeq: number | null = null;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  get documents(): number {
    return this.sent + this.unchanged;
  }

  readonly fail: Fail = (name, why) => {
    this.failed++;
    if (this.failed <= MAX_TOLD) this.#tell(`${harmless(name)}: ${harmless(why)}`);
    if (this.failed === MAX_TOLD) this.#tell('what else fails is only counted');
  };

  accept(seq: number | null, newestBefore: number): void {
    this.sent++;
    if (seq === null) return;
    if (seq <= newestBefore) this.known++;
    this.lastSeq = Math.max(this.lastSeq ?? 0, seq);
  }

  line(): string {
    const known = this.known > 0 ? ` (${inWords(this.known)} of which the service had already)` : '';
    return `${counted(this.sent, 'document')} sent${known}, ${inWords(this.unchanged)} unchanged, ${inWords(this.failed)} failed`;
  }
}
