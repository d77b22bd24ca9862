/** Runs a command that writes or reads one file: its arguments, how far it has come, Ctrl-C, and errors in plain words. */
import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { StartError } from '../errors.ts';
import { type ShownProgress, showProgress } from './progress.ts';
import { toldUsage } from './usage.ts';

export interface FileWork {
  file: string;
  values: Record<string, unknown>;
  config: ReturnType<typeof readConfig>;
  progress: ShownProgress;
  say: (line: string) => void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** As a shell has it for a command that Ctrl-C has ended. */
const STOPPED = 130;

/** When it was stopped. A load may be stopped as its last word is on its way, or have made the embedded database that it was for. */
const LEFT: Record<string, string> = { load: 'of its rows all are there or none', other: 'nothing of it is left' };

/** By its name in `npm run`. */
export function runWithFile(
  name: string,
  usage: string,
  work: (given: FileWork) => Promise<void>,
  options: ParseArgsConfig['options'] = {},
): void {
  const progress = showProgress(name);
  const stop = new AbortController();
  const run = async () => {
    if (toldUsage(usage)) return;
    const { values, positionals } = parseArgs({ args: process.argv.slice(2), allowPositionals: true, options });
    const [file, ...rest] = positionals;
    if (!file || rest.length > 0) throw new StartError(usage);
    const config = readConfig();
    // npm passes on what a terminal has sent already: a second signal means nothing more than the first.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
    await work({ file: resolve(file), values, config, progress, say: progress.tell, signal: stop.signal });
    progress.end();
  };
  run().catch((error) => {
    const isExpected = error instanceof StartError || String(error.code).startsWith('ERR_PARSE_ARGS');
    // What was in the way at the same time says by itself what there is.
    if (stop.signal.aborted && !isExpected) progress.tell(`stopped before it was done; ${LEFT[name] ?? LEFT.other}`);
    else if (isExpected) progress.tell(error.message);
    else process.stderr.write(`${error.stack}\n`);
    process.exitCode = stop.signal.aborted ? STOPPED : 1;
  });
}

/** Files of a cluster are of the embedded Postgres alone. */
export function refuseOwnPostgres({ config }: FileWork, command: 'backup' | 'restore'): void {
  if (config.DATABASE_URL !== undefined)
    throw new StartError(
      `DATABASE_URL is set, and npm run ${command} is for the embedded database. Use the tools of that Postgres, or ${
        command === 'backup' ? 'npm run dump' : 'npm run load'
      }.`,
    );
}
