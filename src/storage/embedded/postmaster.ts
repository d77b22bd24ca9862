/** Reads Postgres's own postmaster.pid, and tells a server that runs from a file that a crash left behind. */
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface Postmaster {
  pid: number;
  port: number;
}

const pidFile = (data: string) => join(data, 'postmaster.pid');

export function readPostmaster(data: string): Postmaster | null {
  try {
    // Line 1 is the process id, line 4 the port; while Postgres writes the file, line 4 may not be there yet.
    const lines = readFileSync(pidFile(data), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) || 0 };
  } catch {
    return null;
  }
}

export function isAlive(postmaster: Postmaster, data: string): boolean {
  try {
    process.kill(postmaster.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    // Process ids come round again, in containers at once: a postmaster of ours stands in its data folder.
    return readlinkSync(`/proc/${postmaster.pid}/cwd`) === realpathSync(data);
  } catch {
    return false;
  }
}

/** Whether a process stands in a data folder, also in one that was removed. Where that cannot be seen, it does not. */
export function standsIn(pid: number, data: string): boolean {
  try {
    return [data, `${data} (deleted)`].includes(readlinkSync(`/proc/${pid}/cwd`));
  } catch {
    return false;
  }
}

/**
 * Whether a server may be running in a data folder that could be another account's: nothing in it is read. Where processes
 * cannot be seen, the mere presence of the file is believed.
 */
export function isInUse(data: string): boolean {
  if (process.platform !== 'linux') return existsSync(pidFile(data));
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && standsIn(Number(entry), data));
}

/**
 * Tells whether a recovery has come further since it was asked last: those who replay and checkpoint run, wait for the disk,
 * or have used time. Where that cannot be seen, it is taken to be so.
 */
export function watchRecovery(): (postmaster: Postmaster) => boolean {
  let before = '';
  return ({ pid }) => {
    if (process.platform !== 'linux') return true;
    const recovering = childrenOf(pid).filter(({ title }) => /^postgres: (startup|checkpointer)/.test(title));
    const now = recovering.map(({ pid, ticks }) => `${pid} ${ticks}`).join();
    const hasMoved = now !== before || recovering.some(({ state }) => state === 'R' || state === 'D');
    before = now;
    return hasMoved;
  };
}

interface Child {
  pid: number;
  title: string;
  state: string;
  /** Of processor time, used. */
  ticks: number;
}

export function childrenOf(parent: number): Child[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      // After the name in parentheses, which may hold anything, come the state and the parent, and in time the times.
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      if (Number(fields[1]) !== parent) return [];
      const title = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
      return { pid: Number(entry), title, state: fields[0] as string, ticks: Number(fields[11]) + Number(fields[12]) };
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** Postgres itself refuses to start over the file when a stranger of the same user has the old process id. */
export function forget(data: string): void {
  rmSync(pidFile(data), { force: true });
}
