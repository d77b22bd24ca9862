/** What one sees: on a real terminal lines to read, anywhere else JSON for machines. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newDatabase } from '../support/database.ts';
import { NODE, newFolder, postgresRuns, start, startService, stop } from '../support/process.ts';

const ESCAPE = '\u001b';

/** On a pseudo terminal of its own, which `script` makes; it says which process the service is. */
function startOnTerminal(env: Record<string, string>) {
  const command = `echo process $$; exec '${NODE}' src/main.ts`;
  const terminal = start(['script', '-qec', command, '/dev/null'], { TERM: 'xterm-256color', ...env });
  const signal = (name: NodeJS.Signals) => process.kill(Number(/process (\d+)/.exec(terminal.output())?.[1]), name);
  return { ...terminal, signal };
}

const recordsIn = (output: string) => output.split('\n').filter((line) => line.startsWith('{'));

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  it('the log is lines to read, in colour', async () => {
    const service = startOnTerminal({ DATABASE_URL: await newDatabase() });
    await expect.poll(() => stripVTControlCharacters(service.output())).toContain('Docket is at');
    service.signal('SIGINT');
    expect(await service.ended).toMatchObject({ code: 0 });
    const output = service.output();
    expect(output).toContain(`${ESCAPE}[33mwarn`);
    expect(stripVTControlCharacters(output)).toMatch(/^\d\d:\d\d:\d\d\.\d{3}Z warn {2}Postgres runs with fsync=off/m);
    expect(stripVTControlCharacters(output)).toMatch(/^\S+Z info {2}SIGINT: closing\r$/m);
    expect(recordsIn(output)).toEqual([]);
    // The welcome has a line of its own around it.
    expect(output).toContain(`\r\n\r\n  ${ESCAPE}[1mDocket is at `);
  });

  it('there is no colour for those who ask for none', async () => {
    const service = startOnTerminal({ DATABASE_URL: await newDatabase(), NO_COLOR: '1' });
    await service.listening;
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
    expect(service.output()).toMatch(/^\S+Z warn {2}Postgres runs/m);
    expect(service.output()).not.toContain(ESCAPE);
  });

  it('that is closed, the service ends as cleanly', async () => {
    const dataDir = newFolder();
    const service = startOnTerminal({ DATA_DIR: dataDir });
    await expect.poll(() => stripVTControlCharacters(service.output())).toContain('Docket is at');
    expect(await postgresRuns(dataDir)).toBe(true);
    service.child.kill('SIGKILL');
    await expect.poll(() => postgresRuns(dataDir)).toBe(false);
  });
});

describe('without a terminal', () => {
  it('the log is JSON, a record a line, and nothing is coloured', async () => {
    const env = { DATABASE_URL: await newDatabase(), FORCE_COLOR: '1', TERM: 'xterm-256color' };
    const service = startService(env);
    await service.listening;
    await stop(service);
    const records = recordsIn(service.output()).map((line) => JSON.parse(line));
    expect(records.map(({ level, msg }) => [level, msg])).toContainEqual([30, 'SIGTERM: closing']);
    expect(Object.keys(records[0])).toEqual(['level', 'time', 'msg']);
    expect(service.output()).not.toContain(ESCAPE);
  });
});
