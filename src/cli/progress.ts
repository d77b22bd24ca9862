/** Shows how far a command has come: on a terminal one line that is written over, elsewhere a line now and then. */

const TERMINAL_MS = 200;
const PLAIN_MS = 5000;

export interface ShownProgress {
  begin(what: string, total: number | null): void;
  reached(bytes: number): void;
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
    begin(next, of) {
      [what, total, beganAt] = [next, of, now()];
      if (of === null) return show(what);
      // A line for something that is over at once would say nothing.
      shownAt = isTerminal ? Number.NEGATIVE_INFINITY : beganAt;
    },
    reached(bytes) {
      if (total === null || now() - shownAt < (isTerminal ? TERMINAL_MS : PLAIN_MS)) return;
      const seconds = (now() - beganAt) / 1000;
      const rate = seconds > 0 ? `, ${size(bytes / seconds)}/s` : '';
      const share = Math.min(100, Math.floor((100 * bytes) / Math.max(1, total)));
      show(`${what} ${size(bytes)} of about ${size(Math.max(bytes, total))} (${share} %)${rate}`);
    },
    size,
    tell(line) {
      end();
      stream.write(`${name}: ${line}\n`);
    },
    end,
  };
}

export function size(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.ceil(bytes / 1000)} kB`;
}
