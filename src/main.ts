/** The entry: configuration, start, signals. The only process.exit of the service. */
import { resolve } from 'node:path';
import { toldUsage } from './cli/usage.ts';
import { readConfig } from './config.ts';
import { StartError } from './errors.ts';
import { createLog } from './log.ts';
import { type Config, settings } from './settings.ts';
import { showsColours } from './terminal.ts';
import { welcome } from './welcome.ts';
import type { Service } from './wire.ts';
import { within } from './within.ts';

/** A shutdown that takes longer has hung; the store is safe to leave at any point. */
const SHUTDOWN_MS = 10_000;
/** npm passes on what a terminal or systemd has already sent: what comes so soon after the first signal is the same one. */
const ECHO_MS = 300;

const USAGE = `usage: npm start
  Starts Docket, which takes in documents from many tenants and processes them in the background. The first start makes
  its keys and shows them; with nothing set, the data is kept in .data and the address is http://127.0.0.1:8080.
  All settings are read from the environment, such as PORT=8081 npm start; docs/configuration.md lists them.
  Ctrl-C ends it. See also --help of: npm run keys, npm run tail, npm run backup.`;

async function main(): Promise<void> {
  if (toldUsage(USAGE)) return;
  const [argument] = process.argv.slice(2);
  if (argument !== undefined)
    throw new StartError(
      `'${argument}' is not known: all settings are read from the environment. npm start -- --help says more.`,
    );

  const config = readConfig();
  const { told, toldAgain } = hearSignals();
  const cutOff = (afterMs: number) => setTimeout(() => process.exit(1), afterMs).unref();
  void told.then(() => cutOff(config.DRAIN_DELAY_MS + SHUTDOWN_MS));
  void toldAgain.then(() => cutOff(SHUTDOWN_MS));

  const log = createLog(config.LOG_LEVEL);
  // It is imported only now: what is asked for or wrong in a command line is answered at once.
  const { startService } = await import('./wire.ts');
  const service = await startService(config, log);
  process.stdout.write(greet(service, config));

  const signal = await told;
  service.drain();
  if (config.DRAIN_DELAY_MS > 0) {
    log.info(`${signal}: not ready any more, closing in ${config.DRAIN_DELAY_MS} ms or at the next signal`);
    await within(config.DRAIN_DELAY_MS, toldAgain, null);
  }
  log.info(`${signal}: closing`);
  await service.close();
  process.exit(0);
}

/** The first signal, and that there was another. */
function hearSignals(): { told: Promise<NodeJS.Signals>; toldAgain: Promise<void> } {
  const [first, second] = [Promise.withResolvers<NodeJS.Signals>(), Promise.withResolvers<void>()];
  let toldAt: number | null = null;
  const hear = (signal: NodeJS.Signals) => {
    toldAt ??= performance.now();
    first.resolve(signal);
    if (performance.now() - toldAt > ECHO_MS) second.resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear);
  return { told: first.promise, toldAgain: second.promise };
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
