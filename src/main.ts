/** The entry: configuration, start, signals. The only process.exit. */
import { resolve } from 'node:path';
import { toldUsage } from './cli/usage.ts';
import { readConfig } from './config.ts';
import { StartError } from './errors.ts';
import { createLog } from './log.ts';
import { type Config, settings } from './settings.ts';
import { showsColours } from './terminal.ts';
import { welcome } from './welcome.ts';
import type { Service } from './wire.ts';

/** A shutdown that takes longer has hung; the store is safe to leave at any point. */
const SHUTDOWN_MS = 10_000;

const USAGE = `usage: npm start
  Starts Docket, which takes in documents from many tenants and processes them in the background. The first start makes
  its keys and shows them; with nothing set, the data is kept in .data and the address is http://127.0.0.1:8080.
  All settings are read from the environment, such as PORT=8081 npm start; docs/configuration.md lists them.
  Ctrl-C ends it. See also: npm run keys -- --help, npm run tail -- --help.`;

async function main(): Promise<void> {
  if (toldUsage(USAGE)) return;
  const [argument] = process.argv.slice(2);
  if (argument !== undefined)
    throw new StartError(
      `'${argument}' is not known: all settings are read from the environment. npm start -- --help says more.`,
    );

  // npm passes on a Ctrl-C that the terminal has already sent: a second signal means nothing more than the first.
  const { promise: told, resolve: tell } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, tell);
  void told.then(() => setTimeout(() => process.exit(1), SHUTDOWN_MS).unref());

  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  // It is imported only now: what is asked for or wrong in a command line is answered at once.
  const { startService } = await import('./wire.ts');
  const service = await startService(config, log);
  process.stdout.write(greet(service, config));

  const signal = await told;
  log.info(`${signal}: closing`);
  await service.close();
  process.exit(0);
}

function greet({ url, firstKeys }: Service, config: Config): string {
  const { ROLE, ADMIN_API_KEYS, INTERNALS_API_KEYS, DATABASE_URL, DATA_DIR } = config;
  return welcome(
    {
      url,
      firstKeys,
      servesApi: ROLE !== 'worker',
      hasGivenKeys: ADMIN_API_KEYS.length + INTERNALS_API_KEYS.length > 0,
      hasOwnStore: DATABASE_URL !== undefined || DATA_DIR !== resolve(settings.properties.DATA_DIR.default),
    },
    showsColours(process.stdout),
  );
}

main().catch((error) => {
  process.stderr.write(error instanceof StartError ? `docket: cannot start: ${error.message}\n` : `${error.stack}\n`);
  process.exit(1);
});
