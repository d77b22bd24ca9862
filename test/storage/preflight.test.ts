import { createServer } from 'node:net';
import { describe, expect, inject, it } from 'vitest';
import { migrate } from '../../src/storage/migrate.ts';
import { checkDatabase } from '../../src/storage/preflight.ts';
import { asSuperuser, newDatabase } from '../support/database.ts';

const ignore = () => {};

function withUser(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.href;
}

describe('checkDatabase', () => {
  it('warns of a Postgres that would lose what it has accepted', async () => {
    const warnings: string[] = [];
    await checkDatabase(inject('postgresUrl'), (line) => warnings.push(line));
    expect(warnings).toEqual([expect.stringContaining('fsync=off')]);
  });

  it('refuses a server that is too old', async () => {
    await expect(checkDatabase(inject('postgresUrl'), ignore, 99)).rejects.toThrow(
      /is Postgres 18.*; 99 or newer is needed/,
    );
  });

  it('names a server that is not there, without the password', async () => {
    const check = checkDatabase('postgres://docket:hunter2@127.0.0.1:1/docket', ignore);
    await expect(check).rejects.toThrow('cannot reach Postgres at 127.0.0.1:1/docket');
    await expect(check).rejects.not.toThrow('hunter2');
  });

  it('gives up on a server that accepts and says nothing', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    const { port } = mute.address() as { port: number };
    await expect(checkDatabase(`postgres://x:x@127.0.0.1:${port}/x`, ignore)).rejects.toThrow('cannot reach Postgres');
    mute.close();
  });

  it('tells a wrong password from a missing database', async () => {
    const url = inject('postgresUrl');
    await expect(checkDatabase(withUser(url, 'docket', 'wrong'), ignore)).rejects.toThrow(
      'refuses the user or the password',
    );
    await expect(checkDatabase(url.replace(/[^/]+$/, 'nowhere'), ignore)).rejects.toThrow(
      'database "nowhere" does not exist',
    );
  });

  it('refuses a database without an encoding, and one that cannot be written', async () => {
    await asSuperuser(`create database ascii_only encoding 'SQL_ASCII' template template0`);
    const ascii = inject('postgresUrl').replace(/[^/]+$/, 'ascii_only');
    await expect(checkDatabase(ascii, ignore)).rejects.toThrow('encoding is SQL_ASCII');
    const url = await newDatabase();
    await asSuperuser(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
    await expect(checkDatabase(url, ignore)).rejects.toThrow('is read-only');
  });
});

it('says which right is missing when tables cannot be made', async () => {
  const url = await newDatabase('template0');
  await asSuperuser(`create role visitor login password 'guest'`);
  await expect(migrate(withUser(url, 'visitor', 'guest'))).rejects.toThrow(/permission denied.*Grant the user/);
});
