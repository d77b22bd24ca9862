/** npm run export, as a process beside a real service, and what comes of it elsewhere. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { newFolderOf, startCommand } from '../support/command.ts';
import { findingsOf, linesOf } from '../support/findings.ts';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { start, stop } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { url } = service;
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const run = (name: 'import' | 'export', tenant: Tenant, ...args: string[]) =>
  startCommand(name, { url, tenant }, ...args).ended;

/** A tenant with a scope of three documents, two of which contradict each other. */
async function withLeases() {
  const tenant = await service.newTenant();
  const folder = newFolderOf({
    'a.txt': 'Acme Robotics was founded in 1987. It has 1,900 employees.',
    'b/b.md': '# Acme Robotics\n\nAcme Robotics has 2,310 employees.',
    'c.csv': 'company,city\nAcme Robotics,Aarhus\n',
  });
  expect(await run('import', tenant, '--scope', 'leases', '--wait', folder)).toMatchObject({ code: 0 });
  return tenant;
}

describe('npm run export', () => {
  it('writes to stdout what an import elsewhere makes the same claims and contradictions of', async () => {
    const tenant = await withLeases();
    const { code, stdout, stderr } = await run('export', tenant, '--scope', 'leases');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^export: 3 documents, \d+ claims, 1 fact, 1 contradiction: \d+ kB in [\d.]+ s\n$/),
    ]);
    const end = linesOf(stdout).at(-1);
    const before = stdout.slice(0, stdout.lastIndexOf('{"kind":"end"'));
    expect(end).toMatchObject({
      kind: 'end',
      counts: { documents: 3, contradictions: 1 },
      sha256: sha256(before),
      changed: false,
    });

    const other = await service.newTenant();
    const file = join(newFolderOf({ 'leases.jsonl': stdout }), 'leases.jsonl');
    const imported = await run('import', other, '--scope', 'copy', '--wait', file);
    expect([imported.code, imported.stdout.split('\n')[0]]).toEqual([0, '3 documents sent, 0 unchanged, 0 failed']);
    const copy = await run('export', other, '--scope', 'copy');
    expect(findingsOf(copy.stdout)).toEqual(findingsOf(stdout));
    expect(findingsOf(stdout).contradictions).toHaveLength(1);

    // Into the same tenant, too: keys that were used for one scope do not stand in the way of another.
    const beside = await run('import', tenant, '--scope', 'beside', '--wait', file);
    expect([beside.code, beside.stdout.split('\n')[0]]).toEqual([0, '3 documents sent, 0 unchanged, 0 failed']);
    const again = await run('import', other, '--scope', 'copy', file);
    expect(again.stdout.split('\n')[0]).toBe('0 documents sent, 3 unchanged, 0 failed');
  });

  it('carries an entry without text over, once', async () => {
    const tenant = await service.newTenant();
    const entry = { scope_id: 'register', name: 'Box 4', document_id: 'box-4', provenance: 'shelf 2' };
    const { status } = await service.call('POST', '/api/documents', { tenantId: tenant.tenantId, body: entry });
    expect(status).toBe(201);
    const { stdout } = await run('export', tenant, '--scope', 'register', '--include', 'documents,texts');
    const folder = newFolderOf({ 'register.jsonl': stdout });
    for (const line of ['1 document sent, 0 unchanged, 0 failed', '0 documents sent, 1 unchanged, 0 failed'])
      expect((await run('import', tenant, '--scope', 'copy', '--wait', folder)).stdout.split('\n')[0]).toBe(line);
    expect(await service.document(tenant, 'copy', 'box-4')).toMatchObject({
      name: 'Box 4',
      provenance: 'shelf 2',
      state: 'pending',
    });
  });

  it('writes a file that only its owner may read, and writes none over without --force', async () => {
    const tenant = await withLeases();
    const folder = newFolderOf({});
    const file = join(folder, 'out.jsonl');
    const args = ['--scope', 'leases', '--include', 'documents,texts', '--output', file];
    const made = await run('export', tenant, ...args);
    expect(made).toMatchObject({ code: 0, stdout: `${sha256(readFileSync(file))}  ${file}\n` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['out.jsonl']);
    expect(linesOf(readFileSync(file, 'utf8')).map(({ kind }) => kind)).toEqual([
      'document',
      'document',
      'document',
      'end',
    ]);

    writeFileSync(file, 'mine');
    expect(await run('export', tenant, ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there already'),
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await run('export', tenant, ...args, '--force')).toMatchObject({ code: 0 });
    expect(linesOf(readFileSync(file, 'utf8'))).toHaveLength(4);
    expect(readdirSync(folder)).toEqual(['out.jsonl']);
  });

  it('goes on where it was when the connection is cut, with every line once', async () => {
    const tenant = await service.newTenant();
    const lines = Array.from({ length: 3000 }, (_, n) =>
      JSON.stringify({ document_id: `d${n}`, text: `Pump ${n} has 4 valves.` }),
    );
    const folder = newFolderOf({ 'pumps.jsonl': lines.join('\n') });
    await run('import', tenant, '--scope', 'pumps', folder);
    const cutting = await startCutting(url);
    const { code, stdout, stderr } = await startCommand(
      'export',
      { url: cutting.url, tenant },
      '--scope',
      'pumps',
      '--include',
      'documents,texts',
    ).ended;
    expect(cutting.cuts()).toBe(1);
    expect([code, stderr]).toEqual([0, expect.stringContaining('taken up again')]);
    const ids = linesOf(stdout).flatMap(({ kind, document_id }) => (kind === 'document' ? [document_id] : []));
    expect([ids.length, new Set(ids).size]).toEqual([3000, 3000]);
    expect(linesOf(stdout).at(-1)).toMatchObject({
      counts: { documents: 3000 },
      sha256: sha256(stdout.slice(0, stdout.lastIndexOf('{"kind":"end"'))),
    });
  });

  it('leaves no file behind after Ctrl-C', async () => {
    const tenant = await withLeases();
    const folder = newFolderOf({});
    const silent = await startSilent();
    const args = ['--scope', 'leases', '--output', join(folder, 'out.jsonl')];
    const exporting = startCommand('export', { url: silent.url, tenant }, ...args);
    await silent.asked;
    expect(readdirSync(folder)).toEqual(['out.jsonl.part']);
    expect(await stop(exporting, 'SIGINT')).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('nothing of it is left'),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends with Ctrl-C also while nobody reads what it writes', async () => {
    const endless = await startEndless();
    const tenant = await service.newTenant();
    const exporting = startCommand('export', { url: endless.url, tenant }, '--scope', 'leases');
    exporting.child.stdout?.pause();
    // All that lies between is full when nothing more is asked for.
    let [last, looks] = [0, 0];
    await until(endless.given, (given) => {
      looks = given > 0 && given === last ? looks + 1 : 0;
      last = given;
      return looks === 25;
    });
    const { code, signal, stderr } = await stop(exporting, 'SIGINT');
    expect([code, signal, stderr]).toEqual([130, null, expect.stringContaining('stopped before it was done')]);
  });

  it('ends quietly when nobody wants more of it', async () => {
    const tenant = await withLeases();
    const command = `'${process.execPath}' src/cli/export.ts --url ${url} --scope leases | head -n 1`;
    const { stdout, stderr } = await start(['sh', '-c', command], {
      DOCKET_TENANT_ID: tenant.tenantId,
      DOCKET_TENANT_KEY: tenant.key,
    }).ended;
    expect(linesOf(stdout)).toHaveLength(1);
    expect(stderr).not.toContain('    at ');
  });

  it.each([
    ['a part that there is not', ['--scope', 's', '--include', 'documents,words'], "--include: there is no 'words'"],
    ['a word too many', ['--scope', 's', 'file'], 'usage: npm run export'],
    ['a folder that is not there', ['--scope', 's', '--output', '/nowhere/at/all'], 'there is no folder /nowhere/at'],
    ['a scope that is not there', ['--scope', 'none'], '404: '],
  ])('refuses %s', async (_name, args, message) => {
    const { code, stdout, stderr } = await run('export', await service.newTenant(), ...args);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)]);
    expect(stderr).not.toContain('    at ');
  });
});

/** Passes everything on, and cuts the first answer of an export behind a cursor, in the middle of what follows. */
async function startCutting(target: string) {
  const { hostname, port } = new URL(target);
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let passed = '';
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => {}).on('close', () => client.destroy());
    client.on('data', (data) => upstream.write(data));
    upstream.on('data', (data) => {
      if (cuts > 0 || !passed.includes('"kind":"cursor"')) {
        passed = passed.slice(-100) + data.toString('latin1');
        return void client.write(data);
      }
      cuts++;
      // What was passed on arrives, and nothing after it.
      upstream.removeAllListeners('data').removeAllListeners('close').destroy();
      client.end(data.subarray(0, data.length / 2));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cuts: () => cuts };
}

/** Says that it is well, and gives an export that has no end. */
async function startEndless() {
  const document = `${JSON.stringify({ kind: 'document', document_id: 'd', text: 'x'.repeat(10_000) })}\n`;
  const lines = `${document.repeat(10)}{"kind":"cursor","cursor":"c"}\n`;
  let given = 0;
  function* pieces() {
    for (;;) {
      given++;
      yield lines;
    }
  }
  const server = createHttpServer((request, response) => {
    if (!request.url?.includes('/export')) return void response.end('{"status":"ok"}');
    pipeline(Readable.from(pieces()), response.writeHead(200, { 'content-type': 'application/x-ndjson' }), () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, given: () => given };
}

/** Says that it is well, and begins an export of which nothing comes. */
async function startSilent() {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const server = createServer((client) => {
    client
      .on('error', () => {})
      .on('data', (data) => {
        if (!data.includes('/export')) client.write('HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{"status":"ok"}');
        else ask();
      });
    later(() => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
