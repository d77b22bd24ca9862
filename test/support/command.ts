/** A command of a tenant as a process, with its keys in the environment, and a folder of files for it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Tenant } from './kernel.ts';
import { later } from './later.ts';
import { NODE, type Started, start } from './process.ts';

export function startCommand(
  name: 'import' | 'export',
  { url, tenant }: { url: string; tenant: Tenant },
  ...args: string[]
): Started {
  const env = { DOCKET_TENANT_ID: tenant.tenantId, DOCKET_TENANT_KEY: tenant.key };
  return start([NODE, `src/cli/${name}.ts`, '--url', url, ...args], env);
}

export function newFolderOf(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'docket-files-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}

export function writeFiles(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
