/** The log: structured, on stdout. It never holds a key, a header or a document's text. */
import { pino } from 'pino';

export type Log = pino.Logger;

export function createLog(level: string, destination?: pino.DestinationStream): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    destination ?? pino.destination({ sync: true }),
  );
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

/** For trouble that repeats itself until it passes: one line for a while, not one for each attempt. */
export function quietly(log: Log): (error: unknown, line: string) => void {
  const quietUntil = new Map<string, number>();
  return (error, line) => {
    const now = performance.now();
    const isQuiet = now < (quietUntil.get(line) ?? 0);
    if (!isQuiet) quietUntil.set(line, now + QUIET_MS);
    log[isQuiet ? 'debug' : 'warn']({ err: error }, line);
  };
}
