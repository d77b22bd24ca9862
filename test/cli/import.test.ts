/** npm run import, as a process beside a real service. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Docket } from '../../client/src/index.ts';
import { untilProcessed } from '../../src/cli/import/processed.ts';
import { showProgress } from '../../src/cli/progress.ts';
import { newFolderOf, startCommand, writeFiles } from '../support/command.ts';
import { OBEDIENT, type Tenant, withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { NODE, start, stop } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { url } = service;
const run = (tenant: Tenant, ...args: string[]) => startCommand('import', { url, tenant }, ...args).ended;
const lineOf = (stdout: string) => stdout.split('\n')[0];

function countsIn(stdout: string) {
  const [sent = 0, unchanged = 0, failed = 0] =
    /^([\d,]+) documents? sent, ([\d,]+) unchanged, ([\d,]+) failed$/m
      .exec(stdout)
      ?.slice(1)
      .map((count) => Number(count.replace(',', ''))) ?? [];
  return { sent, unchanged, failed };
}

const leases = {
  'one.txt': 'Acme Robotics was founded in 1987. It has 1,900 employees.',
  'b/two.md': '# Acme Robotics\n\nAcme Robotics has 2,310 employees.',
  'b/three.csv': 'company,city\nAcme Robotics,Aarhus\n',
};

async function rowsOf(tenant: Tenant, scope: string) {
  const { body } = await service.call('GET', `/api/scopes/${scope}/documents?limit=200`, { tenantKey: tenant.key });
  return body.documents as { document_id: string; version: number; state: string; type: string; provenance: string }[];
}

describe('npm run import', () => {
  it('sends a folder, waits, and says what was found; again it sends only what was changed', async () => {
    const tenant = await service.newTenant();
    const folder = newFolderOf({ ...leases, 'photo.png': 'x', 'empty.txt': '' });
    const first = await run(tenant, '--scope', 'leases', '--wait', folder);
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^3 documents sent, 0 unchanged, 0 failed\nscope leases: 3 documents, 3 processed\n\d+ claims about \d+ things, 1 open contradiction; \w+, 0\.\d+\n {2}\w+: Acme Robotics: the number of employees is .*\n$/,
      ),
    ]);
    expect(first.stderr).toContain('import: left out, .png: 1 (photo.png)\nimport: left out, empty: 1 (empty.txt)\n');
    expect((await rowsOf(tenant, 'leases')).map(({ document_id, type }) => [document_id, type])).toEqual([
      ['b/three.csv', 'csv'],
      ['b/two.md', 'md'],
      ['one.txt', 'txt'],
    ]);

    const second = await run(tenant, '--scope', 'leases', '--wait', folder);
    expect([second.code, lineOf(second.stdout)]).toEqual([0, '0 documents sent, 3 unchanged, 0 failed']);

    // Changed, and changed back: the first content is a third version, and not the first one again.
    for (const [version, text] of [leases['one.txt'].replace('1,900', '2,310'), leases['one.txt']].entries()) {
      writeFiles(folder, { 'one.txt': text });
      const { stdout } = await run(tenant, '--scope', 'leases', '--wait', folder);
      expect(lineOf(stdout)).toBe('1 document sent, 2 unchanged, 0 failed');
      expect(await service.document(tenant, 'leases', 'one.txt')).toMatchObject({
        version: version + 2,
        state: 'processed',
        contradictions: version,
      });
    }
    for (const { stdout, stderr } of [first, second]) expect(stdout + stderr).not.toContain(tenant.key);
  });

  it('names what cannot be sent, goes on with the rest, and ends with 1', async () => {
    const tenant = await service.newTenant();
    const folder = newFolderOf({
      'a.txt': 'It rains.',
      'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
      'lines.jsonl':
        '{"text":"It snows."}\nno json\n{"text":"It hails.","name":"x","document_id":"a.txt"}\n{"text":"\\ud800"}\n',
      'z.txt': 'It is dry.',
    });
    const { code, stdout, stderr } = await run(tenant, '--scope', 's', folder);
    expect([code, lineOf(stdout)]).toEqual([1, '3 documents sent, 0 unchanged, 4 failed']);
    expect(stderr).toContain('import: latin.txt: it is not UTF-8\n');
    expect(stderr).toContain('import: lines.jsonl:2: it is not JSON\n');
    expect(stderr).toContain('import: lines.jsonl:3: its id, a.txt, is also that of another document of this import\n');
    // What only the service finds out is told as well.
    expect(stderr).toMatch(/^import: lines\.jsonl:4: 400: .*surrogate/m);
    expect((await rowsOf(tenant, 's')).map(({ document_id }) => document_id)).toEqual([
      'a.txt',
      'lines.jsonl:1',
      'z.txt',
    ]);
  });

  it('with --wait counts what fails, and sends that again the next time', async () => {
    const settings = { ROLE: 'all', DOCUMENT_ATTEMPTS: '1', DOCUMENT_MEMORY_MB: '64' };
    const failing = withVerbs(await startTestService({ pipeline: OBEDIENT, settings }));
    const tenant = await failing.newTenant();
    const folder = newFolderOf({ 'a.txt': 'throw it', 'b.txt': 'ok' });
    const send = () => startCommand('import', { url: failing.url, tenant }, '--scope', 's', '--wait', folder).ended;
    const first = await send();
    expect([first.code, lineOf(first.stdout)]).toEqual([1, '2 documents sent, 0 unchanged, 1 failed']);
    expect(first.stderr).toContain('import: a.txt: its processing has failed: it\n');
    const again = await send();
    expect([again.code, lineOf(again.stdout)]).toEqual([
      1,
      '1 document sent (1 of which the service had already), 1 unchanged, 1 failed',
    ]);
    const events = (await failing.events('s')).filter((event) => event === 'document.failed a.txt');
    expect(events).toHaveLength(2);
    expect(await failing.document(tenant, 's', 'a.txt')).toMatchObject({ version: 1, state: 'failed' });
  });

  it('goes on where it was after Ctrl-C, and nothing is there twice', async () => {
    const slow = await startTestService({ settings: { TENANT_RATE_PER_S: '200', TENANT_BURST: '200' } });
    const tenant = await slow.newTenant();
    const names = Array.from({ length: 1500 }, (_, n) => `${n % 7}/${n}.txt`);
    const folder = newFolderOf(Object.fromEntries(names.map((name) => [name, `Pump ${name} has 4 valves.`])));
    const first = startCommand('import', { url: slow.url, tenant }, '--scope', 's', '--wait', folder);
    const stored = async () => {
      const { rows } = await slow.db.query<{ n: number }>('select count(*)::int as n from documents');
      return rows[0]?.n ?? 0;
    };
    await until(stored, (n) => n > 100);
    const stopped = await stop(first, 'SIGINT');
    expect(stopped).toMatchObject({
      code: 130,
      signal: null,
      stderr: expect.stringContaining('the same command goes on where it was'),
    });
    const before = await stored();
    expect(before).toBeLessThan(names.length);
    expect(countsIn(stopped.stdout).sent).toBeLessThanOrEqual(before);

    const second = await startCommand('import', { url: slow.url, tenant }, '--scope', 's', folder).ended;
    const { sent, unchanged, failed } = countsIn(second.stdout);
    expect([second.code, failed, sent + unchanged]).toEqual([0, 0, 1500]);
    // What was on its way is there as well.
    expect(unchanged).toBeGreaterThanOrEqual(before);
    expect(await stored()).toBe(1500);
  });

  it('waits no longer than until Ctrl-C for what is paused', async () => {
    const tenant = await service.newTenant();
    await service.ingest(tenant, 's', 'It rains.');
    await service.processed(tenant, 's', 1);
    await service.control('pause', tenant, 's');
    const waiting = startCommand(
      'import',
      { url, tenant },
      '--scope',
      's',
      '--wait',
      newFolderOf({ 'a.txt': 'It snows.' }),
    );
    await until(
      () => service.summary(tenant, 's'),
      ({ documents }) => documents.queued === 1,
    );
    expect(await stop(waiting, 'SIGINT')).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/^1 document sent/),
    });
  });

  it('gives up on what stands still, and says why', async () => {
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'still', 'It rains.');
    await service.processed(tenant, 'still', 1);
    await service.control('pause', tenant, 'still');
    await service.ingest(tenant, 'still', 'It snows.');
    const waiting = untilProcessed({
      docket: new Docket({ url, tenantId: tenant.tenantId, key: tenant.key }),
      scopeId: 'still',
      through: 1,
      progress: showProgress('import', { isTTY: false, columns: 80, write: () => {} }),
      signal: new AbortController().signal,
      giveUpMs: 1,
    });
    await expect(waiting).rejects.toThrow(/nothing was processed for \d+ s: processing is paused/);
  });

  it('does not show a name that would move the cursor of a terminal', async () => {
    const tenant = await service.newTenant();
    const folder = newFolderOf({ 'a\u001b[2J.txt': Buffer.from([0xff]), 'b.txt': 'It rains.' });
    const { stderr } = await run(tenant, '--scope', 's', folder);
    expect(stderr).toContain('a\\u{1b}[2J.txt: it is not UTF-8');
    expect(stderr).not.toContain('\u001b');
  });
});

describe('what cannot work ends with 1 and says why', async () => {
  const tenant = await service.newTenant();
  const folder = newFolderOf({ 'a.txt': 'It rains.' });
  const nothing = newFolderOf({ 'a.png': 'x' });
  const given = { DOCKET_TENANT_ID: tenant.tenantId, DOCKET_TENANT_KEY: tenant.key };

  it.each<[string, Record<string, string>, string[], RegExp]>([
    ['no scope', given, [folder], /^import: usage: npm run import/],
    ['no path', given, ['--scope', 's'], /^import: usage: npm run import/],
    ['an option that there is not', given, ['--scope', 's', '--key', 'x', folder], /'--key'.*usage/s],
    ['a scope that cannot be', given, ['--scope', 'A b', folder], /--scope: expected/],
    ['no address', given, ['--scope', 's', '--url', 'localhost', folder], /--url: expected/],
    ['no key', { DOCKET_TENANT_ID: 'x' }, ['--scope', 's', folder], /^import: DOCKET_TENANT_KEY not set\nusage/],
    ['nothing of both', {}, ['--scope', 's', folder], /DOCKET_TENANT_ID and DOCKET_TENANT_KEY not set/],
    [
      'a key on two lines',
      { ...given, DOCKET_TENANT_KEY: 'dk_a\ndk_b' },
      ['--scope', 's', folder],
      /expected a key(?!.*dk_)/s,
    ],
    [
      'nobody there',
      given,
      ['--scope', 's', '--url', 'http://127.0.0.1:1', folder],
      /nobody answers at http:\/\/127\.0\.0\.1:1/,
    ],
    ['an unknown key', { ...given, DOCKET_TENANT_KEY: 'dk_unknown' }, ['--scope', 's', folder], /401: .*not a valid/],
    ['no such path', given, ['--scope', 's', join(folder, 'none')], /none: it is not there/],
    ['nothing to import', given, ['--scope', 's', nothing], /left out, \.png.*there is nothing to import/s],
  ])('%s', async (_name, env, args, message) => {
    const urls = args.includes('--url') ? [] : ['--url', url];
    const { code, stderr } = await start([NODE, 'src/cli/import.ts', ...urls, ...args], env).ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).not.toContain('    at ');
    expect(stderr).not.toContain(tenant.key);
  });

  it('a key that may only read', async () => {
    const { body } = await service.call('POST', `/admin/tenants/${tenant.tenantId}/keys`, {
      key: service.admin,
      body: { permissions: ['read'] },
    });
    const reader = { tenantId: tenant.tenantId, key: body.api_key };
    const { code, stderr } = await run(reader, '--scope', 's', folder);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/403: .*\n.*the same command goes on/s)]);
  });
});

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  /** On a pseudo terminal, which `script` makes of what is piped into it. */
  function onTerminal(env: Record<string, string>, ...args: string[]) {
    const command = [NODE, 'src/cli/import.ts', '--url', url, ...args].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', `exec ${command}`, '/dev/null'], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    later(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    return {
      says: (text: string) =>
        until(
          () => output,
          (now) => now.includes(text),
        ),
      type: (text: string) => child.stdin.write(text),
      ended: new Promise<{ code: number | null; output: string }>((resolve) => {
        child.once('close', (code) => resolve({ code, output }));
      }),
    };
  }

  it('it asks for what is not set, and shows nothing of the key', async () => {
    const tenant = await service.newTenant();
    const asked = onTerminal({}, '--scope', 's', newFolderOf({ 'a.txt': 'It rains.' }));
    await asked.says('Tenant id: ');
    asked.type(`${tenant.tenantId}\r`);
    await asked.says('Tenant key (not shown): ');
    asked.type(`${tenant.key}\r`);
    const { code, output } = await asked.ended;
    expect([code, output]).toEqual([0, expect.stringContaining('1 document sent')]);
    expect(output).toContain(tenant.tenantId);
    expect(output).not.toContain(tenant.key);
  });

  it.each([
    ['two lines', '\r'],
    ['a line and a beginning', ''],
  ])('what is pasted beyond an answer is for the next question: %s', async (_what, end) => {
    const tenant = await service.newTenant();
    const asked = onTerminal({}, '--scope', 's', newFolderOf({ 'a.txt': 'It rains.' }));
    await asked.says('Tenant id: ');
    asked.type(`${tenant.tenantId}\r${tenant.key}${end}`);
    await asked.says('Tenant key (not shown): ');
    if (end === '') asked.type('\r');
    const { code, output } = await asked.ended;
    expect([code, output]).toEqual([0, expect.stringContaining('1 document sent')]);
    expect(output).not.toContain(tenant.key);
  });

  it('Ctrl-C at a question ends it with 130', async () => {
    const asked = onTerminal({ DOCKET_TENANT_ID: 'x' }, '--scope', 's', newFolderOf({ 'a.txt': 'It rains.' }));
    await asked.says('Tenant key (not shown): ');
    asked.type('\u0003');
    expect(await asked.ended).toMatchObject({ code: 130, output: expect.stringContaining('import: stopped') });
  });

  it('a bar shows how far it is, and goes when it is done', async () => {
    const tenant = await service.newTenant();
    const folder = newFolderOf({ 'lines.jsonl': Array.from({ length: 3000 }, (_, n) => `{"n":${n}}`).join('\n') });
    const { code, output } = await onTerminal(
      { DOCKET_TENANT_ID: tenant.tenantId, DOCKET_TENANT_KEY: tenant.key },
      '--scope',
      's',
      folder,
    ).ended;
    expect(code).toBe(0);
    expect(stripVTControlCharacters(output)).toMatch(/import: \[#*-*\] \d+ %, [\d,]+ documents done/);
    expect(output).toContain('\r\u001b[K3,000 documents sent, 0 unchanged, 0 failed');
  });
});
