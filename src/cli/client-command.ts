/** Runs a command that calls the service for a tenant: its arguments, its keys, how far it has come, Ctrl-C, and errors in plain words. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConnectionError, Docket, DocketError } from '../../client/src/index.ts';
import { isHeaderValue, readClientKeys } from '../config.ts';
import { StartError } from '../errors.ts';
import { harmless } from '../terminal.ts';
import { ask, canAsk, Interrupted } from './ask.ts';
import { type ShownProgress, showProgress } from './progress.ts';
import { serviceUrl } from './service-url.ts';
import { toldUsage } from './usage.ts';

export interface ClientWork {
  docket: Docket;
  scopeId: string;
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
  progress: ShownProgress;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** As a shell has it for a command that Ctrl-C has ended. */
export const STOPPED = 130;

const SCOPE = /^[a-z0-9][a-z0-9-]{0,119}$/;

export interface ClientCommand {
  /** In `npm run`. */
  name: string;
  usage: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** What is wrong with the arguments, before anybody is asked for a key. */
  check?: (given: Pick<ClientWork, 'values' | 'positionals'>) => string | null;
  /** Resolves with the exit status. */
  work: (given: ClientWork) => Promise<number>;
}

/** npm passes on what a terminal has sent already: two signals so close together are one. */
const ONE_SIGNAL_MS = 1000;

export function runWithClient({ name, usage, options, check, work }: ClientCommand): void {
  const progress = showProgress(name);
  const stop = new AbortController();
  let stoppedAt = Number.POSITIVE_INFINITY;
  let isOver = false;
  /** The first one ends the work in order. Whoever sends another, or one while the rest is only written, does not want to wait. */
  const onSignal = () => {
    if (isOver || performance.now() - stoppedAt > ONE_SIGNAL_MS) process.exit(STOPPED);
    stoppedAt = Math.min(stoppedAt, performance.now());
    stop.abort();
  };
  const run = async (): Promise<number> => {
    if (toldUsage(usage)) return 0;
    const parsed = parseArgs({
      args: process.argv.slice(2),
      allowPositionals: true,
      options: { ...options, scope: { type: 'string' }, url: { type: 'string' } },
    });
    const values = parsed.values as ClientWork['values'];
    const { positionals } = parsed;
    const { scope, url } = values;
    if (typeof scope !== 'string') throw new StartError(usage);
    if (!SCOPE.test(scope)) throw new StartError('--scope: expected small letters, digits and hyphens, 120 at most');
    const wrong = check?.({ values, positionals });
    if (wrong) throw new StartError(wrong);
    const address = serviceUrl(url as string | undefined);
    const { tenantId, key } = await readAccess(usage);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    await refuseUnreachable(address, tenantId, stop.signal);
    const docket = new Docket({ url: address, tenantId, key });
    return work({ docket, scopeId: scope, values, positionals, progress, signal: stop.signal });
  };
  run()
    .catch((error) => {
      progress.end();
      if (stop.signal.aborted || error instanceof Interrupted) progress.tell('stopped');
      else tellError(error, usage, progress);
      return stop.signal.aborted || error instanceof Interrupted ? STOPPED : 1;
    })
    .then((code) => {
      process.exitCode = code;
      isOver = true;
      // Nobody may ever read what is left of it, and the process would wait for that.
      if (stop.signal.aborted && process.stdout.writableLength > 0) process.exit();
    });
}

function tellError(error: Error & { code?: unknown }, usage: string, { tell }: ShownProgress): void {
  if (error instanceof StartError) tell(error.message);
  else if (String(error.code).startsWith('ERR_PARSE_ARGS')) tell(`${error.message}\n${usage}`);
  else if (error instanceof DocketError) tell(errorInWords(error));
  // Piped into head, which has enough.
  else if (error.code !== 'EPIPE') process.stderr.write(`${error.stack}\n`);
}

export const errorInWords = ({ status, message }: { status: number; message: string }) =>
  harmless(status > 0 ? `${status}: ${message}` : message);

/** Said at once: the client would try again for half a minute. */
async function refuseUnreachable(url: string, tenantId: string, signal: AbortSignal): Promise<void> {
  try {
    await new Docket({ url, tenantId, maxRetries: 0 }).health({ signal });
  } catch (error) {
    if (error instanceof ConnectionError) throw new StartError(`nobody answers at ${url}: ${error.message}`);
    // Whatever else is wrong, the first request says it.
    if (!(error instanceof DocketError)) throw error;
  }
}

/** A key is never an argument: whoever lists processes would read it, and so would whoever reads the history of a shell. */
async function readAccess(usage: string): Promise<{ tenantId: string; key: string }> {
  const { tenantId, tenantKey } = readClientKeys();
  const missing = [!tenantId && 'DOCKET_TENANT_ID', !tenantKey && 'DOCKET_TENANT_KEY'].filter(Boolean);
  if (missing.length > 0 && !canAsk()) throw new StartError(`${missing.join(' and ')} not set\n${usage}`);
  const given = {
    tenantId: tenantId ?? (await ask('Tenant id: ', { isHidden: false })),
    key: tenantKey ?? (await ask('Tenant key (not shown): ', { isHidden: true })),
  };
  // Not left to fetch, which would print it.
  if (!isHeaderValue(given.tenantId) || !isHeaderValue(given.key)) throw new StartError('expected an id and a key');
  return given;
}
