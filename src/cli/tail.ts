/** npm run tail: events in a terminal, as they happen, of one scope, of a tenant or of everything. */
import { parseArgs } from 'node:util';
import type { ServerEvent } from '../../client/src/sse-reader.ts';
import { readClientKeys } from '../config.ts';
import { StartError } from '../errors.ts';
import { harmlessJson, showsColours } from '../terminal.ts';
import { eventLine, gapLine } from './event-line.ts';
import { follow } from './follow.ts';
import { serviceUrl } from './service-url.ts';
import { toldUsage } from './usage.ts';

const USAGE = `usage: npm run tail -- [--scope ID] [--types TYPE,…] [--after EVENT_ID] [--count N] [--url URL] [--json]
  Keys are read from the environment. With DOCKET_TENANT_KEY alone it shows what a tenant sees of its own scopes; with
  DOCKET_KEY, an operator's, everything (which takes an internals key), and with both and --scope that scope as operators
  see it. It goes on until it is stopped, or with --count until it has shown so many events.`;

const tell = (text: string) => process.stderr.write(`tail: ${text}\n`);

interface Options {
  url: string;
  headers: Record<string, string>;
  after: string | null;
  /** Whether to say whose scopes they are. */
  tenants: boolean;
  json: boolean;
  /** How many events are wanted. */
  count: number;
}

function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      scope: { type: 'string' },
      types: { type: 'string' },
      after: { type: 'string' },
      count: { type: 'string' },
      url: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { scope = null, after = null, types, json, count } = values;
  if (after !== null && !/^\d{1,15}$/.test(after))
    throw new StartError('--after: expected the id of an event, or 0 for the oldest that is kept');
  if (count !== undefined && !/^[1-9]\d{0,8}$/.test(count))
    throw new StartError('--count: expected a whole number from 1 to 999999999');
  const { path, headers } = streamOf(scope);
  const url = new URL(serviceUrl(values.url) + path);
  if (types !== undefined) url.searchParams.set('types', types);
  const tenants = path === OF_ALL;
  return { url: url.href, headers, after, tenants, json, count: Number(count ?? Infinity) };
}

const OF_ALL = '/internals/kernel/events';

/** Which stream the keys are good for. */
function streamOf(scope: string | null): { path: string; headers: Record<string, string> } {
  const { key, tenantKey } = readClientKeys();
  const inScope = scope === null ? '' : `/scopes/${encodeURIComponent(scope)}`;
  if (key && scope === null) return { path: OF_ALL, headers: { authorization: `Bearer ${key}` } };
  if (!tenantKey)
    throw new StartError(
      key
        ? `DOCKET_TENANT_KEY is not set, which --scope needs\n${USAGE}`
        : `neither DOCKET_KEY nor DOCKET_TENANT_KEY is set\n${USAGE}`,
    );
  const headers = { 'x-tenant-api-key': tenantKey };
  if (!key) return { path: `/api${inScope}/events`, headers };
  return { path: `/admin${inScope}/events`, headers: { ...headers, authorization: `Bearer ${key}` } };
}

function printer({ json, tenants }: Options): (event: ServerEvent) => void {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const colours = showsColours(process.stdout);
  return ({ type, data }) => {
    const content = parse(data);
    // A gap is no event: whoever reads envelopes from a pipe gets nothing else.
    if (type === 'gap') (json ? tell : print)(gapLine(content, colours));
    else print(json ? harmlessJson(data) : eventLine(content, { colours, tenants }));
  };
}

function parse(data: string) {
  try {
    return JSON.parse(data);
  } catch {
    throw new StartError('the stream has data that is no event; is that Docket?');
  }
}

async function main(): Promise<void> {
  if (toldUsage(USAGE)) return;
  const options = parseOptions(process.argv.slice(2));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Piped into head, which has enough.
    if (error.code !== 'EPIPE') tell(error.message);
    stop.abort();
  });
  const print = printer(options);
  let shown = 0;
  for await (const event of follow({ ...options, stop: stop.signal, tell })) {
    print(event);
    if (event.type !== 'gap') shown++;
    if (shown === options.count) break;
  }
  stop.abort();
}

main().catch((error) => {
  if (error instanceof StartError) tell(error.message);
  else if (String(error.code).startsWith('ERR_PARSE_ARGS')) tell(`${error.message}\n${USAGE}`);
  else process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
