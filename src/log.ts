/** The log, on stdout: JSON, or lines to read on a terminal. It never holds a key, a header or a document's text. */
import { pino } from 'pino';
import { logLine } from './log-lines.ts';
import { showsColours } from './terminal.ts';

export type Log = pino.Logger;

export function createLog(level: string, destination?: pino.DestinationStream): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    destination ?? stdout(level),
  );
}

/** Written at once, so that nothing is lost at an exit. */
function stdout(level: string): pino.DestinationStream {
  const out = pino.destination({ sync: true });
  if (!process.stdout.isTTY) return out;
  // A terminal may be closed before the service: that must not keep it from closing what it has open.
  out.on('error', () => {});
  const options = { colours: showsColours(process.stdout), stacks: level === 'debug' || level === 'trace' };
  return { write: (json) => void out.write(logLine(json, options)) };
}

/** Only named members: a Postgres error also carries the failing row and its values. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'a value that is no error was thrown' };
  const { name, message, stack } = error;
  const code = (error as { code?: string }).code;
  return {
    name,
    code,
    message: message.slice(0, 500),
    stack,
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

const QUIET_MS = 30_000;

/** For trouble that repeats itself until it passes: one line of a kind for a while, not one for each time. */
export function quietly(log: Pick<Log, 'warn' | 'debug'>): (error: unknown, line: string, more?: object) => void {
  const kinds = new Map<string, { quietUntil: number; leftOut: number }>();
  return (error, line, more = {}) => {
    const kind = `${line} ${(error as { code?: string } | null)?.code}`;
    const last = kinds.get(kind) ?? { quietUntil: 0, leftOut: 0 };
    const now = performance.now();
    if (now < last.quietUntil) {
      last.leftOut++;
      log.debug({ err: error, ...more }, line);
      return;
    }
    kinds.set(kind, { quietUntil: now + QUIET_MS, leftOut: 0 });
    log.warn({ err: error, ...more, ...(last.leftOut > 0 && { left_out: last.leftOut }) }, line);
  };
}
