/** Debian's chromium without a screen, driven over its own protocol: what a page shows, and what it is told to open. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { later } from './later.ts';
import { until } from './until.ts';

const CHROMIUM = 'chromium';
const isInstalled = spawnSync(CHROMIUM, ['--version']).status === 0;
if (!isInstalled)
  process.stderr.write(`${CHROMIUM} is not installed: the tests in a browser are skipped; apt-get install chromium\n`);

/** Skipped without a browser; the gate installs one, and counts a skipped test as failed. */
export const inBrowser = describe.skipIf(!isInstalled);

export interface Page {
  /** What the page shows as text, by lines. */
  lines(): Promise<string[]>;
  /** What its console has said so far. */
  said(): string[];
}

export interface Browser {
  open(url: string): Promise<Page>;
}

export async function startBrowser(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'docket-browser-'));
  const child = spawn(
    CHROMIUM,
    // Without a sandbox, since root may not have one; without /dev/shm, which is small in a container.
    ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'].concat(
      `--user-data-dir=${folder}`,
      '--remote-debugging-port=0',
      'about:blank',
    ),
    { stdio: 'ignore' },
  );
  later(() => end(child, folder));
  const file = join(folder, 'DevToolsActivePort');
  const port = await until(
    () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : ''),
    (line) => Boolean(line),
  );
  return { open: (url) => openPage(`http://127.0.0.1:${port}`, url) };
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  if (child.exitCode === null && child.kill('SIGKILL')) await ended;
  // Its children go after it, and write to the last.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

// biome-ignore lint/suspicious/noExplicitAny: the protocol is spoken as the plain JSON that it is.
type Json = any;

async function openPage(devtools: string, url: string): Promise<Page> {
  const target = await fetch(`${devtools}/json/new?about:blank`, { method: 'PUT' });
  const { webSocketDebuggerUrl } = (await target.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(webSocketDebuggerUrl);
  later(() => socket.close());
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map<number, (result: Json) => void>();
  const said: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, result, method, params } = JSON.parse(String(data)) as Json;
    if (id !== undefined) waiting.get(id)?.(result);
    if (method === 'Log.entryAdded') said.push(params.entry.text);
  });
  let asked = 0;
  const ask = (method: string, params: object = {}): Promise<Json> => {
    const { promise, resolve } = Promise.withResolvers<Json>();
    waiting.set(++asked, resolve);
    socket.send(JSON.stringify({ id: asked, method, params }));
    return promise;
  };
  await ask('Log.enable');
  await ask('Page.enable');
  await ask('Page.navigate', { url });
  return {
    said: () => said,
    async lines() {
      const { result } = await ask('Runtime.evaluate', { expression: 'document.body?.innerText ?? ""' });
      return String(result.value).split('\n').filter(Boolean);
    },
  };
}
