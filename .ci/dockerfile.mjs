// Carries out the steps of the Dockerfile in copies of a minimal root, since no image can be pulled here. It knows the
// instructions that the Dockerfile has, and stops at any other.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The instructions, each on one line. */
const instructions = () =>
  readFileSync('Dockerfile', 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1).trim()]);

/** What the context has: .dockerignore leaves out everything, and names what is let in again. */
function isInContext(source) {
  const [everything, ...kept] = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  if (everything !== '*' || kept.some((line) => !line.startsWith('!')))
    throw new Error('.dockerignore has other rules');
  return kept.some((line) => source === line.slice(1) || source.startsWith(`${line.slice(1)}/`));
}

/** Builds the image in `out` from the minimal root; answers with where it is, and how it is to be run. */
export function build(minimalRoot, out) {
  const stages = {};
  let stage;
  for (const [instruction, rest] of instructions()) {
    switch (instruction) {
      case 'FROM': {
        const [, image, name = 'last'] = /^(\S+)(?: AS (\S+))?$/.exec(rest);
        stage = { root: join(out, name), folder: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin' }, user: 'root' };
        stages[name] = stage;
        layBase(minimalRoot, stage.root, image);
        break;
      }
      case 'WORKDIR':
        stage.folder = rest;
        mkdirSync(join(stage.root, rest), { recursive: true });
        break;
      case 'ENV':
        for (const [, name, value] of rest.matchAll(/(\w+)=(\S*)/g)) stage.env[name] = value;
        break;
      case 'COPY': {
        const [, from, what] = /^(?:--from=(\S+) )?(.*)$/.exec(rest);
        copy(stage, from && stages[from], what.split(' '));
        break;
      }
      case 'RUN':
        run(stage, ['sh', '-c', rest], { stdio: ['ignore', 'inherit', 'inherit'] });
        break;
      case 'USER':
        stage.user = rest;
        break;
      case 'HEALTHCHECK':
        stage.health = JSON.parse(/ CMD (\[.*\])$/.exec(rest)[1]);
        break;
      case 'CMD':
        stage.command = JSON.parse(rest);
        break;
      case 'EXPOSE':
        break;
      default:
        throw new Error(`the Dockerfile has ${instruction}, which .ci/dockerfile.mjs does not know`);
    }
  }
  return stage;
}

/** What node:24-slim is: a slim Debian with that Node, its npm, and an account named node. */
function layBase(minimalRoot, root, image) {
  const [, wanted] = /^node:(\d+)-slim$/.exec(image);
  const [program] = readdirSync('node_modules')
    .filter((name) => /^node-linux-/.test(name))
    .map((name) => join('node_modules', name, 'bin/node'));
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (!stdout.startsWith(`v${wanted}.`))
    throw new Error(`the image has Node ${wanted}, npm ci brings ${stdout.trim()}`);
  mkdirSync(root, { recursive: true });
  const parts = readdirSync(minimalRoot).filter((name) => !['home', 'opt', 'proc', 'dev', 'sys'].includes(name));
  must('cp', ['-a', ...parts.map((name) => join(minimalRoot, name)), root]);
  for (const name of ['home', 'proc', 'dev', 'sys']) mkdirSync(join(root, name));
  must('rm', ['-f', ...['node', 'npm', 'npx'].map((name) => join(root, 'usr/local/bin', name))]);
  cpSync(program, join(root, 'usr/local/bin/node'));
  // The one that make_root has just installed.
  cpSync(join(minimalRoot, 'opt/node_modules/npm'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  must('chroot', [root, 'useradd', '--create-home', 'node']);
}

function copy(stage, from, words) {
  const target = resolve(stage.folder, words.at(-1));
  for (const source of words.slice(0, -1)) {
    if (!from && !isInContext(source)) throw new Error(`COPY ${source}: .dockerignore leaves it out of the context`);
    const origin = from ? join(from.root, source) : source;
    if (!existsSync(origin)) throw new Error(`COPY ${source}: it is not there`);
    const into = words.at(-1).endsWith('/') ? join(target, basename(source)) : target;
    mkdirSync(join(stage.root, dirname(into)), { recursive: true });
    cpSync(origin, join(stage.root, into), { recursive: true, verbatimSymlinks: true });
  }
}

/** The words with which a command runs inside of the image, for spawn. */
export function inside({ root, folder, env, user }, command, more = {}) {
  const settings = Object.entries({ HOME: `/home/${user}`, ...env, ...more }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const enter = ['--userspec', `${user}:${user}`, root, 'env', '-i', ...settings, 'sh', '-c'];
  return ['chroot', [...enter, 'cd "$0" && exec "$@"', folder, ...command]];
}

/** The registry is reached as this machine reaches it. */
function run(stage, command, options) {
  const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const network = { npm_config_registry: registry, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) };
  must(...inside(stage, command, network), options);
}

function must(program, args, options = {}) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr ?? `ended with ${status}`}`);
}
