/** Reads Postgres's own postmaster.pid, and tells a server that runs from a file that a crash left behind. */
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
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

/** Whether one of its processes replays the log. Where that cannot be seen, it is taken to be so. */
export function isRecovering({ pid }: Postmaster): boolean {
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((entry) => {
    try {
      // After the name in parentheses, which may hold anything, come the state and the parent.
      if (!/^\d+$/.test(entry)) return false;
      const [, parent] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return Number(parent) === pid && /^postgres: startup/.test(readFileSync(`/proc/${entry}/cmdline`, 'utf8'));
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** Postgres itself refuses to start over the file when a stranger of the same user has the old process id. */
export function forget(data: string): void {
  rmSync(pidFile(data), { force: true });
}
