/** The service as a process of its own, started the way a user starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { later } from './later.ts';
import { copyFolder } from './postgres.ts';

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  output(): string;
  /** Resolves with the address once the service has printed it; rejects when it ends before. */
  listening: Promise<string>;
  ended: Promise<Outcome>;
}

/** An empty folder for DATA_DIR that goes when the file is done. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docket-process-'));
  chmodSync(folder, 0o711);
  later(async () => {
    // A test that failed may have left its Postgres behind.
    if (await postgresRuns(folder)) process.kill(postmasterOf(folder).pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A folder for DATA_DIR whose cluster is made already, which saves about 2 s of CPU. */
export function newFolderWithCluster(): string {
  const folder = newFolder();
  copyFolder(inject('newCluster'), join(folder, 'postgres'));
  return folder;
}

// The cache of what was compiled only saves time: vitest.config.ts has why.
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
const bare = { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

/** Without LANG and without any of our own settings but those given. */
export function start(command: string[], env: Record<string, string> = {}): Started {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { ...bare, PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  later(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  const ended = new Promise<Outcome>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      const address = /Docket is at (http:\S+),/.exec(stdout)?.[1];
      if (address) resolve(address);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    ended.then((outcome) => reject(new Error(`ended with ${outcome.code}: ${outcome.stderr}`)));
  });
  listening.catch(() => {});
  return { child, output: () => stdout + stderr, listening, ended };
}

export const NODE = process.execPath;
export const startService = (env: Record<string, string>) => start([NODE, 'src/main.ts'], env);

export async function stop(service: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
  service.child.kill(signal);
  return service.ended;
}

export const keysIn = (text: string) => ({
  admin: /da_\w+/.exec(text)?.[0] as string,
  internals: /di_\w+/.exec(text)?.[0] as string,
});

export async function call(url: string, path: string, key: string, body?: object) {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is.
  return { status: response.status, body: (await response.json()) as any };
}

/** Where Postgres notes its process and its port while it runs. */
export const postmasterFile = (dataDir: string) => join(dataDir, 'postgres/data/postmaster.pid');

export function postmasterOf(dataDir: string): { pid: number; port: number } {
  const lines = readFileSync(postmasterFile(dataDir), 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Whether the embedded Postgres of a DATA_DIR takes connections. */
export async function postgresRuns(dataDir: string): Promise<boolean> {
  if (!existsSync(postmasterFile(dataDir))) return false;
  const { port } = postmasterOf(dataDir);
  return new Promise((resolve) => {
    const socket = connect(port || 1, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
