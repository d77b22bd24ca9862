/** The client as its users have it: packed, installed without a network, and run by an old Node or by a browser. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startBrowser } from './browser.ts';
import { later } from './later.ts';
import { NODE, newFolder } from './process.ts';
import { until } from './until.ts';

const OLDEST = 20;

/** The oldest Node of this machine that the client is for: what npm ci brings is newer. */
function findNode(): { path: string; version: string } {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const found = [...paths.filter((path) => existsSync(path)), NODE].map((path) => {
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
    return { path, version, major: Number.parseInt(version, 10) };
  });
  const good = found.filter(({ major }) => major >= OLDEST).toSorted((a, b) => a.major - b.major);
  return good[0] as { path: string; version: string };
}

async function run(program: string, args: string[], cwd: string): Promise<string> {
  const env = {
    ...process.env,
    npm_config_cache: join(cwd, '.npm'),
    npm_config_offline: 'true',
    npm_config_audit: 'false',
  };
  const { stdout } = await promisify(execFile)(program, args, { cwd, env }).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

export interface Installed {
  /** A project that has the client as its one dependency. */
  folder: string;
  /** The names of the files in the package. */
  files: string[];
  /** Runs a file of the project, by the oldest Node that there is; what it prints. */
  runInNode(file: string, ...args: string[]): Promise<string>;
  /** Compiles a file of the project, strictly. */
  compile(file: string): Promise<string>;
}

export async function installPacked(): Promise<Installed> {
  const source = newFolder();
  for (const part of ['client', 'tsconfig.json'])
    cpSync(part, join(source, part), { recursive: true, filter: (path) => !path.endsWith('dist') });
  symlinkSync(join(process.cwd(), 'node_modules'), join(source, 'node_modules'));
  const [packed] = JSON.parse(await run('npm', ['pack', '--json', '--silent'], join(source, 'client')));
  const folder = newFolder();
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--silent', join(source, 'client', packed.filename)], folder);
  return {
    folder,
    files: packed.files.map(({ path }: { path: string }) => path),
    runInNode: (file, ...args) => run(findNode().path, [file, ...args], folder),
    compile: (file) => {
      const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
      const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
      const target = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
      return run(NODE, [tsc, ...options, ...target, file], folder);
    },
  };
}

const PAGE = `<!doctype html><meta charset="utf-8">
<script type="importmap">{ "imports": { "docket-client": "/docket-client/index.js" } }</script>
<script type="module">
  import { tour } from '/tour.mjs';
  const given = await (await fetch('/given')).json();
  document.body.textContent = await tour(given).then(
    (seen) => JSON.stringify({ seen }),
    (error) => JSON.stringify({ error: error.name + ': ' + error.message + ' ' + error.stack }),
  );
</script><body></body>`;

/** A site on an origin of its own, whose page takes the tour of the project. */
export async function startSite({ folder }: Installed): Promise<{ origin: string; given: object }> {
  const site = { origin: '', given: {} };
  const server = createServer(({ url = '' }, response) => {
    const type = url.endsWith('js') ? 'text/javascript' : url === '/' ? 'text/html' : 'application/json';
    const file = url.startsWith('/docket-client/')
      ? join(folder, 'node_modules/docket-client/dist', url.slice('/docket-client/'.length))
      : join(folder, url);
    const body =
      url === '/' ? PAGE : url === '/given' ? JSON.stringify(site.given) : existsSync(file) && readFileSync(file);
    response.writeHead(body ? 200 : 404, { 'content-type': `${type}; charset=utf-8` }).end(body || '');
  });
  later(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return site;
}

/** What the tour has seen in a page. */
export async function runInBrowser(origin: string): Promise<unknown> {
  const page = await (await startBrowser()).open(origin);
  const shown = await until(
    async () => (await page.lines()).join('\n'),
    (text) => text !== '',
  );
  const { seen, error } = JSON.parse(shown) as { seen?: unknown; error?: string };
  if (error) throw new Error(`${error}\n${page.said().join('\n')}`);
  return seen;
}

/** Puts a tour into the project: a module with `tour(given)`, and a main for Node that prints what it has seen. */
export function writeTour({ folder }: Installed, tour: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tour.mjs'), tour);
  writeFileSync(
    join(folder, 'main.mjs'),
    `import { tour } from './tour.mjs';
console.log(JSON.stringify(await tour(JSON.parse(process.argv[2]))));`,
  );
}
