/** A database of a file's own, dropped when the file is done. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { later } from './later.ts';
import { inDatabase, TEMPLATE } from './postgres.ts';

export async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** The URL of a new database: migrated, or empty. */
export async function newDatabase(template = TEMPLATE): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(`create database ${name} template ${template}`);
  later(() => asSuperuser(`drop database if exists ${name} with (force)`));
  return inDatabase(inject('postgresUrl'), name);
}

export function connect(url: string): Database {
  const db = openDatabase({ url, poolSize: 10, timeoutMs: 60_000, onIdleError: () => {} });
  later(() => db.close());
  return db;
}
