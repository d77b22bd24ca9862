/** Writes the lines of an export, and a last one of its own: that of the service counts and sums up what came since the last cut. */
import { createHash } from 'node:crypto';
import type { ExportEnd, ExportLine } from '../../../client/src/index.ts';
import type { Target } from './target.ts';

/** Written at once: a line alone is a few hundred bytes. */
const PIECE_BYTES = 64 * 1024;
const KINDS = { document: 'documents', claim: 'claims', fact: 'facts', contradiction: 'contradictions' } as const;

export class ExportWriter {
  readonly #target: Target;
  readonly #hash = createHash('sha256');
  #pieces: string[] = [];
  #length = 0;
  #end: ExportEnd | null = null;
  readonly counts = { documents: 0, claims: 0, facts: 0, contradictions: 0 };
  lines = 0;
  bytes = 0;
  /** Of all that was written, as sha256sum tells it, once it is finished. */
  sha256 = '';

  constructor(target: Target) {
    this.#target = target;
  }

  async take(line: ExportLine): Promise<void> {
    // One who has the whole file needs no place to go on from.
    if (line.kind === 'cursor') return;
    if (line.kind === 'end') {
      this.#end = line;
      return;
    }
    const counted = KINDS[line.kind as keyof typeof KINDS];
    if (counted) this.counts[counted]++;
    await this.#write(line);
  }

  async finish(): Promise<void> {
    if (!this.#end) throw new Error('the export has no last line');
    const { counts, isChanged } = this;
    const { revision } = this.#end;
    const sha256 = await this.#flush();
    await this.#write({ kind: 'end', counts, sha256, revision, changed: isChanged });
    this.sha256 = await this.#flush();
  }

  get isChanged(): boolean {
    return this.#end?.changed ?? false;
  }

  /** The service counts only what came since then. */
  get isTakenUp(): boolean {
    const told = this.#end?.counts;
    return told !== undefined && Object.values(KINDS).some((kind) => told[kind] !== this.counts[kind]);
  }

  async #write(line: object): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    this.lines++;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length >= PIECE_BYTES) await this.#flush();
  }

  async #flush(): Promise<string> {
    const piece = Buffer.from(this.#pieces.join(''));
    this.#pieces = [];
    this.#length = 0;
    this.#hash.update(piece);
    this.bytes += piece.length;
    await this.#target.write(piece);
    return this.#hash.copy().digest('hex');
  }
}
