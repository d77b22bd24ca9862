/** Shows how far a command has come: on a terminal one line that is written over, elsewhere a line now and then. */
import { bytesLine, type LineOf, size } from './progress-line.ts';

const TERMINAL_MS = 200;
const PLAIN_MS = 5000;

export interface ShownProgress {
  /** In bytes, unless a line of another kind is given. */
  begin(what: string, total: number | null, line?: LineOf): void;
  reached(at: number): void;
  size(bytes: number): string;
  /** A line of its own, between those of the progress. */
  tell(line: string): void;
  /** Takes the last line of a terminal away. */
  end(): void;
}

/** What it needs of a stream. */
export type Shown = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

export function showProgress(
  name: string,
  stream: Shown = process.stderr,
  now: () => number = () => performance.now(),
): ShownProgress {
  const isTerminal = stream.isTTY === true;
  let [what, total, beganAt]: [string, number | null, number] = ['', null, 0];
  let lineOf = bytesLine;
  let shownAt = Number.NEGATIVE_INFINITY;

  const show = (text: string) => {
    const line = `${name}: ${text}`;
    if (isTerminal) stream.write(`\r\x1b[K${line.slice(0, (stream.columns || 80) - 1)}`);
    else stream.write(`${line}\n`);
    shownAt = now();
  };
  const end = () => {
    if (isTerminal && shownAt !== Number.NEGATIVE_INFINITY) stream.write('\r\x1b[K');
    shownAt = Number.NEGATIVE_INFINITY;
  };

  return {
    begin(next, of, line = bytesLine) {
      [what, total, beganAt, lineOf] = [next, of, now(), line];
      if (of === null) return show(what);
      // A line for something that is over at once would say nothing.
      if (isTerminal) end();
      else shownAt = beganAt;
    },
    reached(at) {
      if (total === null || now() - shownAt < (isTerminal ? TERMINAL_MS : PLAIN_MS)) return;
      show(lineOf({ what, at, total, seconds: (now() - beganAt) / 1000, isTerminal }));
    },
    size,
    tell(line) {
      end();
      stream.write(`${name}: ${line}\n`);
    },
    end,
  };
}
