/** What Linux tells of processes under /proc: the CPU that they have used, and their memory. */
import { readdirSync, readFileSync } from 'node:fs';
import { withClient } from './stores.ts';

/** What /proc counts in, on every architecture. */
const TICKS_PER_S = 100;
const FIELDS_BEFORE_STATE = 2;

export interface Stat {
  parent: number;
  /** Seconds, user and system. */
  cpuS: number;
  /** Of its children that have ended and were waited for. */
  endedChildrenS: number;
}

/** Of a line of /proc/PID/stat: pid, name in parentheses (which may hold anything), state, parent, … */
export function parseStat(line: string): Stat {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - FIELDS_BEFORE_STATE - 1]);
  return {
    parent: field(4),
    cpuS: (field(14) + field(15)) / TICKS_PER_S,
    endedChildrenS: (field(16) + field(17)) / TICKS_PER_S,
  };
}

const statOf = (pid: number) => parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));

/** So far, in seconds. */
export const cpuOf = (pid: number) => statOf(pid).cpuS;

/** Resident, in MB. */
export function memoryOf(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kb) / 1024;
}

/** The process that started all others of this Postgres. */
export async function postmasterOf(url: string): Promise<number> {
  const backend = await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return statOf((rows[0] as { pid: number }).pid).parent;
  });
  return backend;
}

/** So far, of the process and of its children, those that have ended too, in seconds. */
export function cpuOfTree(pid: number): number {
  const { cpuS, endedChildrenS } = statOf(pid);
  let sum = cpuS + endedChildrenS;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const child = statOf(Number(name));
      if (child.parent === pid) sum += child.cpuS;
    } catch {
      // It has ended since the folder was read.
    }
  }
  return sum;
}
