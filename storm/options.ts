/** What the command line asks for. */
import { parseArgs } from 'node:util';
import type { Backend } from './deployment.ts';

export interface Options {
  long: boolean;
  seed: number;
  /** Null: the one that is due. */
  backends: Backend[] | null;
  planted: boolean;
  minutes: number;
  /** Scenarios, planted bugs or `soak`, by number or name; none for all. */
  names: string[];
}

export const USAGE = `usage: npm run storm -- [--long] [--seed N] [--backend postgres|redis|both] [scenario …]
       npm run storm -- --planted [bug …]
       npm run storm -- soak [--minutes N]
`;

/** Null when it makes no sense. */
export function readOptions(args: string[]): Options | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        long: { type: 'boolean', default: false },
        seed: { type: 'string' },
        backend: { type: 'string' },
        planted: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '60' },
      },
    });
    const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
    const minutes = Number(values.minutes);
    if (!Number.isInteger(seed) || !(minutes > 0)) return null;
    const { long, planted, backend } = values;
    return { long, planted, seed, minutes, backends: readBackends(backend), names: positionals };
  } catch {
    return null;
  }
}

const BACKENDS = new Map<string, Backend[]>([
  ['postgres', ['postgres']],
  ['redis', ['redis']],
  ['both', ['postgres', 'redis']],
]);

/** Null when none is named; throws when there is no such. */
export function readBackends(name: string | undefined): Backend[] | null {
  if (name === undefined) return null;
  const backends = BACKENDS.get(name);
  if (!backends) throw new Error(`there is no backend ${name}`);
  return backends;
}
