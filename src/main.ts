/** The entry: configuration, start, signals. The only process.exit. */
import { readConfig } from './config.ts';
import { StartError } from './errors.ts';
import { createLog } from './log.ts';
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
  process.stdout.write(welcome(service));

  const signal = await told;
  log.info(`${signal}: closing`);
  await service.close();
  process.exit(0);
}

function welcome({ url, firstKeys }: Service): string {
  const lines = ['', `  Docket is at ${url}, its documentation at ${url}/docs`, ''];
  if (firstKeys) {
    lines.push(
      '  This is the first start. Two keys were made; they are shown only now and kept as hashes:',
      '',
      `    admin      ${firstKeys.admin}`,
      `    internals  ${firstKeys.internals}`,
      '',
      '  Try it: create a tenant.',
      '',
      `curl -X POST ${url}/admin/tenants -H 'Authorization: Bearer ${firstKeys.admin}' -H 'Content-Type: application/json' -d '{"name": "Acme"}'`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

main().catch((error) => {
  process.stderr.write(error instanceof StartError ? `docket: cannot start: ${error.message}\n` : `${error.stack}\n`);
  process.exit(1);
});
