/** A folder of a run's own, gone when the run is over. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeLater } from './ending.ts';

export function newFolder(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `docket-storm-${what}-`));
  // As root, Postgres runs under another account, which has to get in here.
  chmodSync(folder, 0o711);
  closeLater(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}
