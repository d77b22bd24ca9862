/** Servers under test are processes of their own, asked and told by messages. */
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { closeLater } from './ending.ts';

export type { ChildProcess } from 'node:child_process';

const END_MS = 10_000;

export interface ChildOptions {
  args?: string[];
  env?: Record<string, string>;
  execArgv?: string[];
}

/** With the first message that it sends. */
export async function startChild<Ready>(script: URL, { args = [], env = {}, execArgv = [] }: ChildOptions = {}) {
  const child = fork(script, args, { execArgv, env: { PATH: process.env.PATH, ...env } });
  closeLater(() => child.kill());
  return { child, ready: await nextMessage<Ready>(child) };
}

export async function ask<Answer>(child: ChildProcess, question: Serializable): Promise<Answer> {
  const answer = nextMessage<Answer>(child);
  child.send(question);
  return answer;
}

/** It ends by itself when the bench lets go of it; if it does not, it is killed. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.disconnect();
  const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(late);
}

function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a server ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (value) => {
      child.off('exit', ended);
      resolve(value as Message);
    });
  });
}
