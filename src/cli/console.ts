/** npm run console: a page for operators, served on this machine only, with a service behind it. */
import { parseArgs } from 'node:util';
import { isHeaderValue, readClientKeys, readClientUrl } from '../config.ts';
import { StartError } from '../errors.ts';
import { harmless } from '../terminal.ts';
import { ask, canAsk, Interrupted } from './ask.ts';
import { STOPPED } from './client-command.ts';
import { Refusal } from './console/answers.ts';
import type { Service } from './console/forward.ts';
import { startConsole } from './console/server.ts';
import { openSession } from './console/session.ts';
import { DEFAULT_URL, serviceUrl } from './service-url.ts';
import { toldUsage } from './usage.ts';

const USAGE = `usage: npm run console -- [--url URL] [--port PORT]
  A page for operators, on 127.0.0.1 and any free port unless --port names one. The service is at --url, or else at
  DOCKET_URL, or else at ${DEFAULT_URL}; the operator's key is read from DOCKET_KEY. On a terminal they are asked
  for where there is no key. An internals key shows everything; an admin key lacks the charts, the scopes by convergence
  and the tail of all events; a read-only key changes nothing.`;

const tell = (text: string) => process.stderr.write(`console: ${text}\n`);

/**
 * Any that is free, unless one is named: on a port that everybody knows, a page that was there before may have left a service
 * worker in the browser, which would answer in place of the console, and be given the pass.
 */
const ANY_PORT = '0';

function parseOptions(): { url: string | undefined; port: number } {
  const { url, port } = parseArgs({
    options: { url: { type: 'string' }, port: { type: 'string', default: ANY_PORT } },
  }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new StartError('--port: expected a number up to 65535');
  return { url, port: Number(port) };
}

/** Asked for where the key is, too. Who has set a key, and no address, means the service on this machine. */
async function readUrl(given: string | undefined): Promise<string> {
  if (given !== undefined || readClientUrl() || readClientKeys().key || !canAsk()) return serviceUrl(given);
  const typed = await ask(`The address of the service (Enter for ${DEFAULT_URL}): `, { isHidden: false });
  return serviceUrl(typed || DEFAULT_URL);
}

async function readKey(url: string): Promise<string> {
  const { key } = readClientKeys();
  if (key) return key;
  if (!canAsk()) throw new StartError('DOCKET_KEY is not set, and there is no terminal to ask for it');
  const typed = await ask(`The key of an operator for ${url} (not shown): `, { isHidden: true });
  // Not left to fetch, which would print it.
  if (!isHeaderValue(typed)) throw new StartError('that is no key');
  return typed;
}

/** A key that is refused is said at once. A service that is away may come back, and the page waits for it. */
async function greet(service: Service): Promise<string> {
  try {
    const { tier, read_only } = await openSession(service);
    return `with ${tier === 'admin' ? 'an admin' : 'an internals'} key${read_only ? ' that only reads' : ''}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status !== 502) throw new StartError(`${error.status}: ${harmless(error.message)}`);
    return `which does not answer yet: ${harmless(error.message)}`;
  }
}

async function main(): Promise<void> {
  if (toldUsage(USAGE)) return;
  const { url: given, port } = parseOptions();
  const url = await readUrl(given);
  const service = { url, key: await readKey(url) };
  const state = await greet(service);
  const running = await startConsole(service, port).catch((error) => {
    if (error.code === 'MODULE_NOT_FOUND')
      throw new StartError('uplot, which draws its charts, is not installed: run npm ci');
    if (error.code === 'ENOENT') throw new StartError('the page is not here: run it where the whole repository is');
    if (error.code === 'EADDRINUSE') throw new StartError(`port ${port} is taken; give another with --port`);
    throw error;
  });
  // Before somebody reads that it ends it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => running.close());
  process.stdout.write(`\n  The console of ${url}, ${state}:\n\n    ${running.link}\n\n  Ctrl-C ends it.\n\n`);
}

main().catch((error) => {
  if (error instanceof Interrupted) tell('stopped');
  else if (error instanceof StartError) tell(error.message);
  else if (String(error.code).startsWith('ERR_PARSE_ARGS')) tell(`${error.message}\n${USAGE}`);
  else process.stderr.write(`${error.stack}\n`);
  process.exitCode = error instanceof Interrupted ? STOPPED : 1;
});
