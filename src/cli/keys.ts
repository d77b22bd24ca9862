/** npm run keys -- issue|list|revoke: the keys of operators, also beside a running service. */
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import type { Database } from '../domain/database.ts';
import { issueKey, listOperatorKeys, revokeKey } from '../domain/keys.ts';
import { StartError } from '../errors.ts';
import { openStore } from '../storage/open.ts';
import { harmless } from '../terminal.ts';
import { toldUsage } from './usage.ts';

const USAGE = `usage:
  npm run keys -- issue admin|internals [--label TEXT] [--days N]
  npm run keys -- list
  npm run keys -- revoke PREFIX
  The keys of operators, in the store that the service has with the same settings; it may be running.`;

/** Only the key or the list goes to stdout, so that KEY=$(npm run -s keys -- issue admin) holds a key. */
const print = (text: string) => process.stdout.write(`${text}\n`);
const tell = (text: string) => process.stderr.write(`${text}\n`);

type Command = (db: Database) => Promise<void>;

function parseCommand(args: string[]): Command {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { label: { type: 'string' }, days: { type: 'string' } },
  });
  const [verb, subject, ...rest] = positionals;
  if (rest.length > 0) throw new StartError(USAGE);
  if (verb === 'issue' && (subject === 'admin' || subject === 'internals'))
    return issue(subject, values.label, values.days);
  if (verb === 'list' && !subject) return list;
  if (verb === 'revoke' && subject) return revoke(subject);
  throw new StartError(USAGE);
}

function issue(tier: 'admin' | 'internals', label: string | undefined, days: string | undefined): Command {
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
    throw new StartError('--days: expected a whole number from 1 to 99999');
  return async (db) => {
    const expiresAt = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : undefined;
    const { key, record } = await issueKey(db, tier, { label, expiresAt });
    print(key);
    tell(
      `An ${tier} key${expiresAt ? `, valid until ${expiresAt}` : ''}. Keep it: only its hash is stored. To revoke it: npm run keys -- revoke ${record.key_prefix}`,
    );
  };
}

const list: Command = async (db) => {
  const keys = await listOperatorKeys(db);
  const cells = keys.map((key) => [
    key.key_prefix,
    key.tier,
    day(key.created_at),
    day(key.last_used_at),
    key.revoked_at ? `revoked ${day(key.revoked_at)}` : key.expires_at ? `until ${day(key.expires_at)}` : 'valid',
    harmless(key.label ?? ''),
  ]);
  const rows = [['prefix', 'tier', 'created', 'last used', 'state', 'label'], ...cells];
  const widths = rows.reduce(
    (most, row) => row.map((cell, column) => Math.max(most[column] ?? 0, cell.length)),
    [] as number[],
  );
  for (const row of rows)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
};

const day = (date: string | null) => date?.slice(0, 16).replace('T', ' ') ?? 'never';

function revoke(keyPrefix: string): Command {
  return async (db) => {
    if (!(await revokeKey(db, null, keyPrefix)))
      throw new StartError(`there is no operator key ${keyPrefix}; see npm run keys -- list`);
    tell(`${keyPrefix} is revoked; a running service refuses it within 5 s.`);
  };
}

async function main(): Promise<void> {
  if (toldUsage(USAGE)) return;
  const command = parseCommand(process.argv.slice(2));
  const config = readConfig();
  const store = await openStore({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: 2,
    timeoutMs: config.DB_TIMEOUT_MS,
    holder: 'command',
    log: { info: tell, warn: tell, error: (_error, line) => tell(line) },
  });
  try {
    await command(store.db);
  } finally {
    await store.close();
  }
}

main().catch((error) => {
  const expected = error instanceof StartError || String(error.code).startsWith('ERR_PARSE_ARGS');
  tell(expected ? `keys: ${error.message}` : error.stack);
  process.exitCode = 1;
});
