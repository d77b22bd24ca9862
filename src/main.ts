/** The entry: configuration, start, signals. The only process.exit. */
import { resolve } from 'node:path';
import { type Config, readConfig, settings } from './config.ts';
import { StartError } from './errors.ts';
import { createLog } from './log.ts';
import { showsColours } from './terminal.ts';
import { welcome } from './welcome.ts';
import { type Service, startService } from './wire.ts';

/** A shutdown that takes longer has hung; the store is safe to leave at any point. */
const SHUTDOWN_MS = 10_000;

async function main(): Promise<void> {
  // npm passes on a Ctrl-C that the terminal has already sent: a second signal means nothing more than the first.
  const { promise: told, resolve: tell } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, tell);
  void told.then(() => setTimeout(() => process.exit(1), SHUTDOWN_MS).unref());

  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
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
