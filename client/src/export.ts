/** Reads what a scope holds as lines: taken up again where it broke off, and compared with what the service has sent. */
import type { ExportLine as SentLine } from './api-types.ts';
import { LineReader, parseLine, piecesOf } from './body.ts';
import { DocketError, problemError } from './errors.ts';
import { connectionError, Patience } from './patience.ts';
import { Sha256 } from './sha256.ts';
import { type CallOptions, pathOf, type Transport } from './transport.ts';

export type ExportPart = 'documents' | 'texts' | 'claims' | 'facts' | 'contradictions';

export interface ExportOptions extends CallOptions {
  /** All of it, when it is left out. */
  include?: ExportPart[] | undefined;
  /** Of a line of kind `cursor`: only what comes after it. */
  cursor?: string | undefined;
}

type OfKind<Kind extends SentLine['kind']> = Extract<SentLine, { kind: Kind }>;

/** Can be posted as it is, by `ingestMany`. Its text is there if texts were asked for, and null of an entry of a register. */
export type ExportDocument = OfKind<'document'>;
export type ExportClaim = OfKind<'claim'>;
export type ExportFact = OfKind<'fact'>;
export type ExportContradiction = OfKind<'contradiction'>;
/** A place from which an export goes on; all lines before it were given. */
export type ExportCursor = OfKind<'cursor'>;
/** The last line. Of an export that was taken up again it is about what came since then. */
export type ExportEnd = OfKind<'end'>;

/** Why it ended early is thrown, and no line. */
export type ExportLine = Exclude<SentLine, OfKind<'error'>>;

const SILENCE_MS = 60_000;
/** The service writes a cursor after a thousand lines or four megabytes, whichever comes first, and a page more. */
const MAX_LINES = 100_000;

/**
 * What came after the last cursor comes again after a cut, and perhaps in another state. So lines are given when the next
 * cursor is there: each once, and as they are in what goes on.
 */
export async function* exportLines(
  transport: Transport,
  scopeId: string,
  options: ExportOptions,
): AsyncGenerator<ExportLine> {
  const retries = transport.newRetries(options.signal);
  let { cursor } = options;
  for (;;) {
    try {
      for await (const lines of connection(transport, scopeId, { ...options, cursor })) {
        const last = lines.at(-1) as ExportLine;
        if (last.kind === 'cursor') cursor = last.cursor;
        retries.progressed();
        yield* lines;
        if (last.kind === 'end') return;
      }
      throw connectionError('the export broke off');
    } catch (error) {
      await retries.after(error);
    }
  }
}

/** One connection: lines up to a cursor, or up to the end, at a time. */
async function* connection(
  transport: Transport,
  scopeId: string,
  options: ExportOptions,
): AsyncGenerator<ExportLine[]> {
  const patience = new Patience(SILENCE_MS, options.signal);
  try {
    const judge = new Judge();
    const response = await open(transport, scopeId, options, patience);
    let lines: ExportLine[] = [];
    for await (const piece of piecesOf(response, patience)) {
      for (const line of judge.read(piece)) {
        if (lines.push(line) > MAX_LINES) throw new DocketError('unexpected_answer', 'The export has no cursors');
        if (line.kind !== 'cursor' && line.kind !== 'end') continue;
        yield lines;
        lines = [];
      }
    }
  } finally {
    patience.end();
  }
}

/** The bytes as they were sent, for a file. Not taken up again: what was cut off throws, and is not complete. */
export async function* exportBytes(
  transport: Transport,
  scopeId: string,
  options: ExportOptions,
): AsyncGenerator<Uint8Array> {
  const { response, patience } = await opened(transport, scopeId, options);
  try {
    const judge = new Judge();
    for await (const piece of piecesOf(response, patience)) {
      for (const _line of judge.read(piece)) void _line;
      yield piece;
    }
    if (!judge.isComplete) throw connectionError('the export broke off');
  } finally {
    patience.end();
  }
}

async function opened(transport: Transport, scopeId: string, options: ExportOptions) {
  const retries = transport.newRetries(options.signal);
  for (;;) {
    const patience = new Patience(SILENCE_MS, options.signal);
    try {
      return { response: await open(transport, scopeId, options, patience), patience };
    } catch (error) {
      patience.end();
      await retries.after(error);
    }
  }
}

function open(transport: Transport, scopeId: string, { include, cursor }: ExportOptions, patience: Patience) {
  const query = { include: include?.join(','), cursor };
  const path = pathOf('/api/scopes/{scopeId}/export', { scopeId }, query);
  return transport.open({ method: 'GET', path, headers: { accept: 'application/x-ndjson' } }, patience);
}

/** Compares what came with what the last line says of it. */
class Judge {
  isComplete = false;
  readonly #reader = new LineReader();
  readonly #hash = new Sha256();

  *read(piece: Uint8Array): Generator<ExportLine> {
    for (const bytes of this.#reader.read(piece)) {
      const line = parseLine(bytes) as SentLine;
      if (line.kind === 'error') throw problemError(line.error);
      if (line.kind !== 'end') this.#hash.update(bytes);
      else if (this.#hash.hex() === line.sha256) this.isComplete = true;
      else throw new DocketError('export_damaged', 'What came of the export is not what the service has sent');
      yield line;
    }
  }
}
