/** Root's data that is kept elsewhere outlives the folder that it was linked from. It is named, and never removed by us. */
import {
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isInUse } from './postmaster.ts';

/** A note lies beside the cluster: the cluster's own folder is another account's, which may put a link in the note's place. */
const NOTE = '.linked-from';

/**
 * Notes where the link to a cluster in `parent` is; at each start, since a checkout may be moved. `home` is the cluster's
 * real path. No start fails for it.
 */
export function noteLink(parent: string, home: string, place: string): void {
  const note = home + NOTE;
  if (attempt(() => realpathSync(parent)) !== dirname(home) || !isOurs(parent) || readNote(note) === place) return;
  attempt(() => {
    // It comes into place by a rename, which follows no link and never shows half a note to another start.
    const aside = `${note}.new`;
    rmSync(aside, { force: true });
    writeFileSync(aside, place, { flag: 'wx', mode: 0o600 });
    renameSync(aside, note);
  });
}

/**
 * Lists those whose link is gone or leads elsewhere, but never `opened`, the real path of the one that is being opened.
 * Without a note it is not known, and of one that runs nothing is said.
 */
export function findLeftovers(parent: string, opened: string | null): { home: string; place: string }[] {
  if (!isOurs(parent)) return [];
  return notesIn(parent).flatMap((name) => {
    const note = join(parent, name);
    const cluster = note.slice(0, -NOTE.length);
    if (attempt(() => lstatSync(cluster, { throwIfNoEntry: false })) === undefined) {
      attempt(() => rmSync(note));
      return [];
    }
    const home = attempt(() => realpathSync(cluster));
    const place = readNote(note);
    if (!home || !place || home === opened || attempt(() => realpathSync(place)) === home) return [];
    return isInUse(join(home, 'data')) ? [] : [{ home, place }];
  });
}

/** Whether nobody but this account can put anything into a folder. */
function isOurs(folder: string): boolean {
  const found = attempt(() => statSync(folder));
  return found !== null && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

const notesIn = (parent: string) =>
  (attempt(() => readdirSync(parent)) ?? []).filter((name) => name.startsWith('cluster-') && name.endsWith(NOTE));

const readNote = (note: string) => attempt(() => (lstatSync(note).isFile() ? readFileSync(note, 'utf8') : null));

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
