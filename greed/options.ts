/** What the command line asks for. */
import { parseArgs } from 'node:util';
import type { Backend } from '../storm/deployment.ts';
import { readBackends } from '../storm/options.ts';

export interface Options {
  long: boolean;
  planted: boolean;
  /** Whether the table goes into the docs. */
  write: boolean;
  /** Null: the one that is due. */
  backends: Backend[] | null;
  /** Attacks by number or name; none for all. */
  names: string[];
}

export const USAGE = `usage: npm run greed -- [--long] [--backend postgres|redis|both] [--write] [attack …]
       npm run greed -- --planted
  Attacks the real service beside a tenant that does nothing out of the ordinary, and measures what that one notices.
  --long     three rounds of 700 posts for each figure, and the median of them; the attacks in full
  --backend  where the queue is kept; not set: by turns
  --write    puts the table into docs/reliability.md
  --planted  is a service without fair shares caught?
`;

/** Null when it makes no sense. */
export function readOptions(args: string[]): Options | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        long: { type: 'boolean', default: false },
        planted: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        backend: { type: 'string' },
      },
    });
    const { backend, ...rest } = values;
    return { ...rest, backends: readBackends(backend), names: positionals };
  } catch {
    return null;
  }
}
