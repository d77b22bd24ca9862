/** npm run console: a page for operators, served on this machine only, with a service behind it. */
import { parseArgs } from 'node:util';
import { isHeaderValue, readClientKeys } from '../config.ts';
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

const DEFAULT_PORT = 8090;

const USAGE = `usage: npm run console -- [--url URL] [--port PORT]
  A page for operators, at http://127.0.0.1:${DEFAULT_PORT} unless --port says otherwise, of the service at ${DEFAULT_URL}
  unless --url does. The operator's key is read from DOCKET_KEY, or asked for. An internals key shows everything; an admin
  key lacks the charts, the scopes by convergence and the tail of all events; a read-only key changes nothing.`;

const tell = (text: string) => process.stderr.write(`console: ${text}\n`);

function parseOptions(): { url: string; port: number } {
  const { values } = parseArgs({
    options: { url: { type: 'string', default: DEFAULT_URL }, port: { type: 'string', default: `${DEFAULT_PORT}` } },
  });
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535)
    throw new StartError('--port: expected a number up to 65535');
  return { url: serviceUrl(values.url), port: Number(values.port) };
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
  const { url, port } = parseOptions();
  const service = { url, key: await readKey(url) };
  const state = await greet(service);
  const running = await startConsole(service, port).catch((error) => {
    if (error.code === 'MODULE_NOT_FOUND')
      throw new StartError('uplot, which draws its charts, is not installed: run npm ci');
    if (error.code === 'ENOENT') throw new StartError('the page is not here: run it where the whole repository is');
    if (error.code === 'EADDRINUSE') throw new StartError(`port ${port} is taken; give another with --port`);
    throw error;
  });
  process.stdout.write(`\n  The console of ${url}, ${state}:\n\n    ${running.link}\n\n  Ctrl-C ends it.\n\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => running.close());
}

main().catch((error) => {
  if (error instanceof Interrupted) tell('stopped');
  else if (error instanceof StartError) tell(error.message);
  else if (String(error.code).startsWith('ERR_PARSE_ARGS')) tell(`${error.message}\n${USAGE}`);
  else process.stderr.write(`${error.stack}\n`);
  process.exitCode = error instanceof Interrupted ? STOPPED : 1;
});
