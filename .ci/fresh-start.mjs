// A newcomer's first quarter of an hour, in the clean copy that is the current folder: the README's commands and what it
// says one sees, a crash, a restart, a stop. Prints one line a step. Runs on whatever Node the machine has; npm ci has been
// run there just before. With NEWCOMERS_ROOT the folder is inside of that root, and `npm` on the path goes there.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { compare, readBlocks, Shell } from './readme.mjs';
import { failures, step as oneStep } from './steps.mjs';

const BASE = 'http://127.0.0.1:8080';
const [first, ...blocks] = readBlocks('README.md');
const root = process.env.NEWCOMERS_ROOT ?? '';
let service;

const step = (name, work) => oneStep(name, work, () => service?.output ?? '');

function check(truth, complaint) {
  if (!truth) throw new Error(complaint);
}

/** Starts the service as the README does, and resolves when it is healthy. */
async function start(command = ['npm', 'start']) {
  const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  service = {
    child,
    output: '',
    exited: new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code))),
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (service.output += data));
  const started = Date.now();
  while (Date.now() - started < 60_000) {
    const healthy = await fetch(`${BASE}/api/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (healthy && service.output.includes('Docket is at')) return `healthy after ${Date.now() - started} ms`;
    if (child.exitCode !== null) break;
    await sleep(20);
  }
  throw new Error('npm start did not become healthy');
}

const bash = (script) =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
/** Read from /proc: a bare machine need not have pgrep. */
function processes() {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.flatMap((id) => {
    try {
      const parent = Number(readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1).split(' ')[1]);
      return [{ id: Number(id), parent, command: readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
/** The service itself, below npm and what npm was started by. */
function serviceBelow(id) {
  const children = processes().filter(({ parent }) => parent === id);
  const found = children.find(({ command }) => command.includes(' src/main.ts'));
  return found && !found.command.startsWith('npm')
    ? found.id
    : children.map(({ id }) => serviceBelow(id)).find(Boolean);
}
/** Of this copy: others on the machine may have theirs. */
const postgresRuns = () => {
  const data = `postgres -D ${realpathSync('.data/postgres').replace(root, '')}/data `;
  return processes().some(({ command }) => command.includes(data));
};

let curlLine;
const countTenants = () => JSON.parse(bash(curlLine.replace('-X POST', '').replace(/ -d .*/, ''))).tenants.length;

await step('the README begins with the command that runs it, has the one that tests it, and is short', () => {
  check(first.commands === 'npm ci && npm start', `the first block is: ${first.commands}`);
  check(
    blocks.some(({ commands }) => commands === 'npm ci && npm test'),
    'npm ci && npm test is not there',
  );
  const lines = readFileSync('README.md', 'utf8').trimEnd().split('\n').length;
  check(lines <= 150, `it has ${lines} lines`);
});
await step('npm start, the first time, on a terminal, shows what the README shows', async () => {
  const note = await start(['script', '-qefc', 'npm start', '/dev/null']);
  const difference = compare(first.shown, service.output);
  check(!difference, difference);
  return note;
});
await step('the curl line that it prints, pasted', () => {
  curlLine = service.output
    .replaceAll('\r', '')
    .split('\n')
    .find((line) => line.startsWith('curl '));
  check(curlLine, 'no such line');
  check(JSON.parse(bash(curlLine)).api_key.startsWith('dk_'), 'no tenant was created');
});
const shell = new Shell();
let shown = 0;
for (const { commands, shown: lines } of blocks) {
  // These have sections of their own in the gate.
  if (/^npm (ci|test|run (check|test))/.test(commands)) continue;
  await step(`the README's block that begins: ${commands.split('\n')[0].slice(0, 60)}`, async () => {
    const seen = await shell.type(commands);
    const difference = lines && compare(lines, seen);
    check(!difference, difference);
    if (lines) shown += lines.length;
  });
}
shell.close();
await step('the README shows what one sees on the way', () => check(shown > 10, `only ${shown} lines`));
await step('kill -9 of the service, then a start: nothing is lost', async () => {
  const before = countTenants();
  process.kill(serviceBelow(service.child.pid), 'SIGKILL');
  await service.exited;
  const note = await start();
  check(service.output.includes('took over the embedded Postgres'), 'the running Postgres was not adopted');
  check(countTenants() === before, 'tenants are missing');
  return note;
});
await step('a second start says who holds the data', () => {
  const { status, stderr } = spawnSync('npm', ['start'], { encoding: 'utf8', env: { ...process.env, PORT: '8081' } });
  check(status === 1 && /is in use by docket service, process \d+/.test(stderr), stderr);
});
await step('SIGTERM to npm ends everything', async () => {
  service.child.kill('SIGTERM');
  const outcome = await Promise.race([service.exited, sleep(10_000, 'more than 10 s')]);
  check(outcome === 0, `npm ended with ${outcome}`);
  check(!postgresRuns(), 'Postgres is still running');
});
await step('npm start, warm, and Ctrl-C', async () => {
  const note = await start();
  service.child.kill('SIGINT');
  check((await service.exited) === 0, 'npm did not end with 0');
  check(!/d[ai]_\w{8}_/.test(service.output), 'keys were printed again');
  return note;
});

service?.child.kill('SIGKILL');
process.exit(failures() > 0 ? 1 : 0);
