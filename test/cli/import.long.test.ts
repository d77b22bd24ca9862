/** Ten thousand files, imported, waited for, exported, and sent elsewhere in two ways: the same claims and the same contradictions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolderOf, startCommand } from '../support/command.ts';
import { findingsOf } from '../support/findings.ts';
import { sendLines } from '../support/ingest-stream.ts';
import { madeFiles } from '../support/made-files.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const FILES = 10_000;

it('ten thousand files come to the same elsewhere', async () => {
  const folder = newFolderOf(madeFiles(FILES));
  const out = newFolderOf({});
  const here = await place();
  const imported = await here.run('import', '--scope', 'here', '--wait', folder);
  expect([imported.code, imported.stdout.split('\n').slice(0, 2)]).toEqual([
    0,
    ['10,000 documents sent, 0 unchanged, 0 failed', 'scope here: 10,000 documents, 10,000 processed'],
  ]);
  const again = await here.run('import', '--scope', 'here', '--wait', folder);
  expect([again.code, again.stdout.split('\n')[0]]).toEqual([0, '0 documents sent, 10,000 unchanged, 0 failed']);

  const file = join(out, 'here.jsonl');
  expect(await here.run('export', '--scope', 'here', '--output', file)).toMatchObject({ code: 0 });
  const elsewhere = await place();
  const copied = await elsewhere.run('import', '--scope', 'copy', '--wait', file);
  expect([copied.code, copied.stdout.split('\n')[0]]).toEqual([0, '10,000 documents sent, 0 unchanged, 0 failed']);
  const copy = join(out, 'copy.jsonl');
  expect(await elsewhere.run('export', '--scope', 'copy', '--output', copy)).toMatchObject({ code: 0 });

  // The file as it is, line by line.
  const { service, tenant } = elsewhere;
  const as = { tenantId: tenant.tenantId, query: 'scope_id=posted&answers=errors' };
  const answers = await sendLines(service.url, as, readFileSync(file));
  expect(answers.at(-1)).toMatchObject({ accepted: FILES, rejected: 0, done: true });
  await until(
    async () => (await service.call('GET', '/api/scopes/posted/summary?wait=60', { tenantKey: tenant.key })).body,
    ({ documents }) => documents.processed === FILES,
  );
  const posted = join(out, 'posted.jsonl');
  expect(await elsewhere.run('export', '--scope', 'posted', '--output', posted)).toMatchObject({ code: 0 });

  const [one, ...others] = [file, copy, posted].map((path) => findingsOf(readFileSync(path, 'utf8')));
  // A comparison of nothing with nothing would find no difference.
  expect(one?.documents).toHaveLength(FILES);
  expect(one?.claims.length).toBeGreaterThan(FILES);
  expect(one?.contradictions.length).toBeGreaterThan(200);
  for (const kind of ['documents', 'claims', 'facts', 'contradictions'] as const)
    for (const other of others) expect(other[kind]).toEqual(one?.[kind]);
});

async function place() {
  const service = await startTestService({ settings: { ROLE: 'all' } });
  const tenant = await service.newTenant();
  return {
    service,
    tenant,
    run: (name: 'import' | 'export', ...args: string[]) =>
      startCommand(name, { url: service.url, tenant }, ...args).ended,
  };
}
