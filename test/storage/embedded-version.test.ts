/** A data folder of another major version of Postgres is refused with the way on. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepareCluster } from '../../src/storage/embedded/cluster.ts';
import { newFolderWithCluster } from '../support/process.ts';

it.each([
  [
    -1,
    /With the release that ran on it last.*npm run dump -- FILE.*set DATA_DIR to another folder, and npm run load -- FILE/,
  ],
  [1, /start the release that made it/],
])('of %d major versions from ours', async (away, words) => {
  const dataDir = newFolderWithCluster();
  const version = join(dataDir, 'postgres/data/PG_VERSION');
  writeFileSync(version, `${Number(readFileSync(version, 'utf8')) + away}\n`);
  await expect(prepareCluster(dataDir, () => {})).rejects.toThrow(words);
});
