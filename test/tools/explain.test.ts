import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withVerbs } from '../support/kernel.ts';
import { NODE, newFolder, start } from '../support/process.ts';
import { startTestService } from '../support/service.ts';

const explainAs = async (env: Record<string, string>, ...args: string[]) =>
  start([NODE, 'tools/explain/main.ts', ...args], env).ended;
const explain = (...args: string[]) => explainAs({}, ...args);

function fileOf(name: string, text: string): string {
  const file = join(newFolder(), name);
  writeFileSync(file, text);
  return file;
}

describe('npm run explain', () => {
  const a = fileOf('a.txt', 'Acme Robotics has 1,900 employees. In 2020, Acme Robotics had 12 plants.');

  it('prints the claims of both side by side, each read as its type, and the rule that found a pair', async () => {
    const { code, stdout } = await explain(a, fileOf('b.json', '{"name": "Acme Robotics", "employees": 2310}'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^a\.txt \(txt\): \d+ claims +b\.json \(json\): 1 claims$/m);
    expect(stdout).toMatch(/^a1 .*1,900 +b1 .*2310$/m);
    expect(stdout).toMatch(/^a1 b1 found: by \w[\w ]+, \w+: .*1,900.*2310/m);
  });

  it('names the guard that kept a pair apart', async () => {
    const { stdout } = await explain(a, fileOf('b.md', 'In 2023, Acme Robotics had 30 plants.'));
    expect(stdout).toMatch(/^a\d b1 apart: They speak of different times\.$/m);
    expect(stdout).not.toContain('found:');
  });

  it('reads the whole path as the name of a document', async () => {
    const folder = newFolder();
    const files = ['2.10', '2.14'].map((release, at) => {
      mkdirSync(join(folder, release));
      writeFileSync(join(folder, release, 'setup.txt'), `Acme Robotics has ${1900 + at} plants.`);
      return join(folder, release, 'setup.txt');
    });
    expect((await explain(...files)).stdout).toContain('Their names say that they are two editions');
  });

  it('says when two documents are not compared at all', async () => {
    const { stdout } = await explain(a, fileOf('b', 'The harbour is closed on Sundays.'));
    expect(stdout).toContain('They share no key');
  });

  it('reads two documents of a running service', async () => {
    const service = withVerbs(await startTestService());
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'papers', 'Acme Robotics has 1,900 employees.', { document_id: 'paper/0' });
    await service.ingest(tenant, 'papers', 'Acme Robotics has 2,310 employees.', { document_id: 'paper/1' });
    const ofService = (...args: string[]) =>
      explainAs({ DOCKET_TENANT_KEY: tenant.key }, '--scope', 'papers', '--url', service.url, ...args);
    const { stdout } = await ofService('paper/1', 'paper/0');
    expect(stdout).toMatch(/^a1 b1 found: by figures, medium: .*2,310 in one and 1,900 in the other\.$/m);
    await service.ingest(tenant, 'papers', 'Acme has 90 plants.', { document_id: 'old', name: 'plants-v1.txt' });
    await service.ingest(tenant, 'papers', 'Acme has 120 plants.', { document_id: 'new', name: 'plants-v2.txt' });
    expect((await ofService('old', 'new')).stdout).toContain('Their names say that they are two editions');
    const { code, stderr } = await ofService('paper/1', 'paper/7');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^explain: document 'paper\/7' of scope 'papers': 404 /);
  });

  it.each([
    [[a], 'usage:'],
    [['--scope', 'papers', 'one', 'two'], 'DOCKET_TENANT_KEY is not set'],
    [[a, 'missing.txt'], 'missing.txt cannot be read'],
  ])('explains what is wrong: %#', async (args, message) => {
    const { code, stderr } = await explain(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
