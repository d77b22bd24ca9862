/** Runs one of the Postgres programs to its end, as the account that owns the cluster. */
import { spawn } from 'node:child_process';
import type { Account } from './account.ts';

export interface RunOptions {
  account: Account | null;
  cwd: string;
  timeoutMs: number;
}

export function run(program: string, args: string[], options: RunOptions): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...(options.account ?? {}),
      cwd: options.cwd,
      timeout: options.timeoutMs,
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-4000);
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      child.stderr.destroy();
      resolve({ code: code ?? -1, output: output.trim() });
    });
  });
}
