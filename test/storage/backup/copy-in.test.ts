/** What is sent to Postgres by COPY ends, however it does, and leaves the connection to whoever comes next. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { CopyIn } from '../../../src/storage/backup/copy-in.ts';
import { newDatabase } from '../../support/database.ts';

it('that is broken off before Postgres is ready for it leaves no row and no lock', async () => {
  const client = new pg.Client({ connectionString: await newDatabase('template0') });
  await client.connect();
  await client.query('create table numbers (n int)');
  const copied = client.query(new CopyIn('copy numbers from stdin'));
  const failed = new Promise((resolve) => copied.once('error', resolve));
  copied.destroy(new Error('the file is damaged'));
  expect(await failed).toMatchObject({ message: 'the file is damaged' });
  expect((await client.query('select from numbers')).rows).toHaveLength(0);
  await client.end();
});
