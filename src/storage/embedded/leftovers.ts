/** Root's data that is kept elsewhere outlives the folder that it was linked from. It is named, and never removed by us. */
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, readPostmaster } from './postmaster.ts';

const NOTE = 'linked-from';

/** Notes beside the data where the link to it is; at each start, since a checkout may be moved. No start fails for it. */
export function noteLink(home: string, place: string): void {
  const note = join(home, NOTE);
  if (attempt(() => readFileSync(note, 'utf8')) !== place) attempt(() => writeFileSync(note, place));
}

/** Those whose link is gone or leads elsewhere. Without a note it is not known, and of one that runs nothing is said. */
export function findLeftovers(parent: string): { home: string; place: string }[] {
  return namesIn(parent).flatMap((name) => {
    const home = join(parent, name);
    const place = attempt(() => readFileSync(join(home, NOTE), 'utf8'));
    if (place === null || attempt(() => realpathSync(place)) === home) return [];
    const data = join(home, 'data');
    const postmaster = readPostmaster(data);
    return postmaster && isAlive(postmaster, data) ? [] : [{ home, place }];
  });
}

const namesIn = (parent: string) => (attempt(() => readdirSync(parent)) ?? []).filter((n) => n.startsWith('cluster-'));

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
