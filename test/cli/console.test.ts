/** npm run console, as a process beside a real service. */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { later } from '../support/later.ts';
import { NODE, start, stop } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const { url, admin, internals } = await startTestService();

const run = (env: Record<string, string>, ...args: string[]) =>
  start([NODE, 'src/cli/console.ts', '--port', '0', '--url', url, ...args], env);
const linkIn = (text: string) => /http:\/\/127\.0\.0\.1:\d+\/#pass=\S+/.exec(text)?.[0];

it('prints a link that opens it, and ends with Ctrl-C', async () => {
  const running = run({ DOCKET_KEY: internals });
  const link = (await until(() => linkIn(running.output()), Boolean)) as string;
  expect(running.output()).toContain(`The console of ${url}, with an internals key:`);
  expect(running.output()).not.toContain(internals);
  const { origin, hash } = new URL(link);
  const headers = { 'x-docket-pass': hash.replace('#pass=', '') };
  expect((await fetch(`${origin}/console/session`, { headers })).status).toBe(200);
  expect(await stop(running, 'SIGINT')).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('refuses a key that the service refuses, in one line', async () => {
  const { code, stdout, stderr } = await run({ DOCKET_KEY: 'da_nonsense' }).ended;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^console: 401: [^\n]+\n$/);
});

it('finds the service where the environment says, on a port that nobody knows beforehand', async () => {
  const running = start([NODE, 'src/cli/console.ts'], { DOCKET_KEY: internals, DOCKET_URL: url });
  await until(() => linkIn(running.output()), Boolean);
  expect(running.output()).toContain(`The console of ${url}, with an internals key:`);
  await stop(running);
});

it('waits for a service that is away', async () => {
  const running = start([NODE, 'src/cli/console.ts', '--port', '0', '--url', 'http://127.0.0.1:1'], {
    DOCKET_KEY: admin,
  });
  await until(() => linkIn(running.output()), Boolean);
  expect(running.output()).toContain('which does not answer yet');
  await stop(running);
});

it.each([
  ['no key, and nobody to ask', {}, [], 'DOCKET_KEY is not set'],
  ['a port that is none', { DOCKET_KEY: 'da_x' }, ['--port', '99999'], '--port: expected'],
  ['an address that is none', { DOCKET_KEY: 'da_x' }, ['--url', 'ftp://x'], '--url: expected'],
  ['what it does not know', { DOCKET_KEY: 'da_x' }, ['--open'], 'usage: npm run console'],
])('says what is wrong: %s', async (_what, env, args, says) => {
  const { code, stderr } = await run(env as Record<string, string>, ...args).ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
});

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  function onTerminal(args = `--url ${url}`) {
    const command = `exec '${NODE}' src/cli/console.ts ${args}`;
    const { DOCKET_KEY: _, DOCKET_URL: __, ...env } = process.env;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env });
    later(() => terminal.kill('SIGKILL'));
    let output = '';
    terminal.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    return {
      output: () => output,
      says: (text: string) =>
        until(
          () => output,
          (now) => now.includes(text),
        ),
      type: (text: string) => terminal.stdin.write(text),
      ended: new Promise((resolve) => terminal.once('close', resolve)),
    };
  }

  it('asks for the key, shows nothing of it, and takes it', async () => {
    const terminal = onTerminal();
    await terminal.says('The key of an operator');
    // With a slip of the finger that is taken back.
    terminal.type(`${admin}x\u007f\r`);
    await terminal.says('with an admin key');
    expect(terminal.output()).not.toContain(admin.slice(0, 20));
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
  });

  it('asks for the address, too, where neither is given', async () => {
    const terminal = onTerminal('');
    await terminal.says('The address of the service (Enter for http://127.0.0.1:8080)');
    terminal.type(`${url}\r`);
    await terminal.says(`The key of an operator for ${url}`);
    terminal.type(`${admin}\r`);
    await terminal.says(`The console of ${url}, with an admin key`);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
  });

  it('Ctrl-C at the question ends it with 130', async () => {
    const terminal = onTerminal();
    await terminal.says('The key of an operator');
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(terminal.output()).toContain('console: stopped');
  });
});
