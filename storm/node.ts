/** The service as a process of its own, on a port that it keeps over its deaths. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeLater, makeSureItIsOn } from './ending.ts';
import { call } from './http.ts';
import { freePort } from './stores/ports.ts';
import { sleep, timeUntil, within } from './waiting.ts';

export type Role = 'all' | 'api' | 'worker';

const START_MS = 60_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class Node {
  readonly role: Role;
  readonly url: string;
  readonly log: string;
  readonly #source: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess | null = null;
  #exit: Promise<Exit> = Promise.resolve({ code: null, signal: null });

  private constructor(role: Role, port: number, source: string, log: string, env: Record<string, string>) {
    this.role = role;
    this.url = `http://127.0.0.1:${port}`;
    this.log = log;
    this.#source = source;
    this.#env = { ...env, ROLE: role, PORT: `${port}` };
  }

  /** `source` is the folder of the code that is run: the shipped one, or a copy with a planted bug. */
  static async make(role: Role, source: string, log: string, env: Record<string, string>): Promise<Node> {
    const node = new Node(role, await freePort(), source, log, env);
    closeLater(() => node.kill());
    return node;
  }

  /** Resolves when it answers, with how long that took. */
  async start(): Promise<number> {
    makeSureItIsOn();
    const log = openSync(this.log, 'a');
    // None of our own settings but those given.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'info', ...this.#env };
    const child = spawn(process.execPath, this.#arguments(), { cwd: this.#source, env, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    let ended = false;
    this.#exit = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        ended = true;
        resolve({ code, signal });
      });
    });
    const answers = async () => ended || (await call(`${this.url}/api/health`, { timeoutMs: 2000 })).status === 200;
    const took = await timeUntil(answers, START_MS, 25);
    if (ended || took === null) throw new Error(`a node ended or did not start:\n${this.output().slice(-2000)}`);
    return took;
  }

  /** Those that `npm start` gives Node. */
  #arguments(): string[] {
    const { scripts } = JSON.parse(readFileSync(join(this.#source, 'package.json'), 'utf8'));
    const [, words] = /^exec tools\/node\/run (.*)$/.exec(scripts.start) ?? [];
    if (!words) throw new Error(`npm start is not what it was: ${scripts.start}`);
    return words.split(' ');
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal = (signal: NodeJS.Signals) => this.#child?.kill(signal);

  async kill(): Promise<void> {
    if (!this.isRunning) return;
    this.signal('SIGKILL');
    await this.#exit;
  }

  /** Told to end; how it did, and in what time. */
  async end(withinMs: number): Promise<Exit & { ms: number }> {
    const began = performance.now();
    this.signal('SIGTERM');
    const exit = await within(withinMs, 'ending', this.#exit).catch(() => ({ code: null, signal: null }));
    return { ...exit, ms: Math.round(performance.now() - began) };
  }

  output(): string {
    return readFileSync(this.log, 'utf8');
  }

  /** Resident memory in MB. */
  memory(): number {
    const pages = Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * 4096) / 2 ** 20;
  }

  /** Killed and back at once; returns how long it took to answer again. */
  async restart(afterMs = 0): Promise<number> {
    await this.kill();
    await sleep(afterMs);
    return this.start();
  }
}
