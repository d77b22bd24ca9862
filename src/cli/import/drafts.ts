/** Makes documents of the files that were found, in order, reading some ahead; says of the rest why it is none. */
import { type Draft, draftOf } from './draft.ts';
import { readLine } from './json-line.ts';
import type { LeftOut } from './left-out.ts';
import { MAX_LINE_BYTES, readLines } from './lines.ts';
import { NO_FILE, openFound } from './open-found.ts';
import { readText, type Text } from './read-text.ts';
import { type Fail, type FoundFile, whyNot } from './walk.ts';

/** So many small files are opened at once: a disk or a share that answers slowly is asked for several. */
const FILES_AHEAD = 16;

export interface DraftOptions {
  scopeId: string;
  leftOut: LeftOut;
  fail: Fail;
  /** So many bytes were passed over. */
  passed: (bytes: number) => void;
  signal: AbortSignal;
}

export async function* draftsOf(files: FoundFile[], options: DraftOptions): AsyncGenerator<Draft> {
  const { scopeId, leftOut, fail, passed, signal } = options;
  for await (const [file, read] of readAhead(files)) {
    signal.throwIfAborted();
    const { name, type, bytes } = file;
    if (read === null) {
      yield* linesOf(file, options);
    } else if ('text' in read) {
      yield draftOf(scopeId, name, type, read.text, bytes);
    } else {
      if ('why' in read) fail(name, read.why);
      else leftOut.note('empty', name);
      passed(bytes);
    }
  }
}

/** A file of lines is not read ahead: it may be of any size. */
async function* readAhead(files: FoundFile[]): AsyncGenerator<[FoundFile, Text | null]> {
  const ahead: Promise<Text | null>[] = [];
  for (const [at, file] of files.entries()) {
    while (ahead.length < FILES_AHEAD && at + ahead.length < files.length) {
      const next = files[at + ahead.length] as FoundFile;
      ahead.push(next.isLines ? Promise.resolve(null) : readText(next));
    }
    yield [file, (await ahead.shift()) as Text | null];
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

async function* linesOf(found: FoundFile, options: DraftOptions): AsyncGenerator<Draft> {
  const { name } = found;
  const { scopeId, leftOut, fail, passed, signal } = options;
  try {
    const file = await openFound(found);
    if (!file) {
      fail(name, NO_FILE);
      return passed(found.bytes);
    }
    for await (const { line, bytes, length } of readLines(file)) {
      signal.throwIfAborted();
      const made = bytes === null ? tooLong : read(bytes, { scopeId, file: name, line, bytes: length });
      if (made && 'draft' in made) {
        yield made.draft;
        continue;
      }
      if (made && 'why' in made) fail(`${name}:${line}`, made.why);
      else if (made) leftOut.note(made.leftOut, `${name}:${line}`);
      passed(length);
    }
  } catch (error) {
    if (signal.aborted || !(error as NodeJS.ErrnoException).syscall) throw error;
    fail(name, whyNot(error));
  }
}

const tooLong = { why: `it is longer than ${MAX_LINE_BYTES / 1024 / 1024} MB` };

/** Null of a blank one, which is nothing. */
function read(bytes: Buffer, at: Parameters<typeof readLine>[1]): ReturnType<typeof readLine> | null {
  let json: string;
  try {
    json = utf8.decode(bytes).trim();
  } catch {
    return { why: 'it is not UTF-8' };
  }
  return json === '' ? null : readLine(json, at);
}
