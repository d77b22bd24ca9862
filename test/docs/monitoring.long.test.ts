/** What examples/monitoring has is good for Prometheus itself, and so is what the service tells it. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { later } from '../support/later.ts';
import { startMonitored } from '../support/monitored.ts';
import { promtool, withPromtool } from '../support/promtool.ts';

/** As somebody would set it up, with a key beside it. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docket-monitoring-'));
  later(() => rmSync(folder, { recursive: true }));
  cpSync('examples/monitoring', folder, { recursive: true });
  writeFileSync(join(folder, 'docket.key'), 'di_key\n');
  return folder;
}

withPromtool('promtool', () => {
  it.each([
    ['check', 'config', 'prometheus.yml'],
    ['check', 'rules', 'docket-rules.yml'],
    ['test', 'rules', 'docket-rules.test.yml'],
  ])('%s %s %s', (...args) => {
    expect(promtool(newFolder(), args)).toMatchObject({ isFine: true });
  });

  it('complains of a rule that is wrong', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'docket-rules.yml'), 'groups: [{name: a, rules: [{alert: A, expr: "sum("}]}]');
    expect(promtool(folder, ['check', 'rules', 'docket-rules.yml']).isFine).toBe(false);
  });

  it('finds nothing wrong with what the service tells', async () => {
    const { metrics } = await startMonitored();
    const text = await metrics();
    const { said } = promtool('.', ['check', 'metrics'], text);
    // What is called nodejs_ and process_ is named by prom-client.
    expect(said.split('\n').filter((line) => line && !/^(nodejs|process)_/.test(line))).toEqual([]);
  });
});
