// A newcomer's first quarter of an hour, in the clean copy that is the current folder and as the current user: the
// README's commands, a crash, a restart, a stop. Prints one line a step. Runs on whatever Node the machine has. With
// --installed, npm ci has been run there just before.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const BASE = 'http://127.0.0.1:8080';
const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) =>
  match[1].trim(),
);
const say = (line) => process.stdout.write(`${line}\n`);
let failed = 0;
let service;

async function step(name, work) {
  const started = Date.now();
  try {
    const note = await work();
    say(`✓ ${name} (${((Date.now() - started) / 1000).toFixed(1)} s${note ? `, ${note}` : ''})`);
  } catch (error) {
    failed++;
    say(`✗ ${name}: ${error.message}\n${service?.output ?? ''}`);
  }
}

function check(truth, complaint) {
  if (!truth) throw new Error(complaint);
}

/** npm start, as in the README; resolves when it is healthy. */
async function start() {
  const child = spawn('npm', ['start'], { stdio: ['ignore', 'pipe', 'pipe'] });
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
const childOf = (id) => processes().find(({ parent }) => parent === id).id;
/** Of this copy: others on the machine may have theirs. */
const postgresRuns = () => {
  const data = `postgres -D ${realpathSync('.data/postgres')}/data `;
  return processes().some(({ command }) => command.includes(data));
};

let curlLine;
const countTenants = () => JSON.parse(bash(curlLine.replace('-X POST', '').replace(/ -d .*/, ''))).tenants.length;

await step('the README begins with the two commands', () => {
  check(blocks[0] === 'npm ci && npm start', `the first block is: ${blocks[0]}`);
  check(blocks[1] === 'npm ci && npm test', `the second block is: ${blocks[1]}`);
});
if (!process.argv.includes('--installed')) await step('npm ci', () => void bash('npm ci'));
await step('npm start, the first time', start);
await step('the curl line that it prints, pasted', () => {
  curlLine = service.output.split('\n').find((line) => line.startsWith('curl '));
  check(curlLine, 'no such line');
  check(JSON.parse(bash(curlLine)).api_key.startsWith('dk_'), 'no tenant was created');
});
await step('the rest of the README, pasted', () => {
  // The checks have a section of their own in the gate.
  const output = bash(
    blocks
      .slice(2)
      .filter((block) => block !== 'npm run check')
      .join('\n'),
  );
  for (const word of ['"authTier":"admin"', 'contracts-2026', 'validation_failed', 'openapi', 'on call']) {
    check(output.includes(word), `its output lacks ${word}`);
  }
});
await step('kill -9 of the service, then a start: nothing is lost', async () => {
  const before = countTenants();
  process.kill(childOf(service.child.pid), 'SIGKILL');
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
process.exitCode = failed > 0 ? 1 : 0;
