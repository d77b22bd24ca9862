/** npm run keys -- issue|list|revoke: the keys of operators, also beside a running service. */
import { parseArgs } from 'node:util';
import { BY_COMMAND_LINE } from '../domain/audit.ts';
import { issueKey, listOperatorKeys, revokeKey } from '../domain/keys.ts';
import { StartError } from '../errors.ts';
import { harmless } from '../terminal.ts';
import { type Command, print, runInStore, tell } from './in-store.ts';

const USAGE = `usage:
  npm run keys -- issue admin|internals [--read-only] [--label TEXT] [--days N]
  npm run keys -- list
  npm run keys -- revoke PREFIX
  The keys of operators, in the store that the service has with the same settings; it may be running.`;

function parseCommand(args: string[]): Command {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'read-only': { type: 'boolean' }, label: { type: 'string' }, days: { type: 'string' } },
  });
  const [verb, subject, ...rest] = positionals;
  if (rest.length > 0) throw new StartError(USAGE);
  if (verb === 'issue' && (subject === 'admin' || subject === 'internals'))
    return issue(subject, values.label, values.days, values['read-only'] ?? false);
  if (verb === 'list' && !subject) return list;
  if (verb === 'revoke' && subject) return revoke(subject);
  throw new StartError(USAGE);
}

function issue(
  tier: 'admin' | 'internals',
  label: string | undefined,
  days: string | undefined,
  readOnly: boolean,
): Command {
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
    throw new StartError('--days: expected a whole number from 1 to 99999');
  return async (db) => {
    const expiresAt = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : undefined;
    const { key, record } = await issueKey(db, tier, { label, expiresAt, readOnly }, BY_COMMAND_LINE);
    print(key);
    tell(
      `An ${tier} key${readOnly ? ' that only reads' : ''}${expiresAt ? `, valid until ${expiresAt}` : ''}. Keep it: only its hash is stored. To revoke it: npm run keys -- revoke ${record.key_prefix}`,
    );
  };
}

const list: Command = async (db) => {
  const keys = await listOperatorKeys(db);
  const cells = keys.map((key) => [
    key.key_prefix,
    key.read_only ? `${key.tier}, read-only` : key.tier,
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
    if (!(await revokeKey(db, null, keyPrefix, BY_COMMAND_LINE)))
      throw new StartError(`there is no operator key ${keyPrefix}; see npm run keys -- list`);
    tell(`${keyPrefix} is revoked; a running service refuses it within 5 s.`);
  };
}

runInStore('keys', USAGE, parseCommand);
