/**
 * Sees that the data folder was removed under a running server. Its files live on without a name then: Postgres answers
 * for up to a minute more, and what it takes in that time nobody will find again.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const LOOK_MS = 1000;
/** Looks that have to agree: a folder may be moved away and back. */
const AGREE = 2;

export interface FolderWatch {
  readonly isGone: boolean;
  /** Looks now. Null when it cannot be told: a folder that may not be read at the moment is no folder that is gone. */
  isThere(): Promise<boolean | null>;
  close(): void;
}

/** The password tells a cluster from another that was made in its place. Null when it cannot be told. */
export async function isClusterAt(place: string, password: string): Promise<boolean | null> {
  try {
    await stat(join(place, 'data', 'PG_VERSION'));
    return (await readFile(join(place, 'password'), 'utf8')) === password;
  } catch (error) {
    return /^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '') ? false : null;
  }
}

/** `place` is where a start would look. */
export function watchFolder(place: string, password: string, onChange: (isGone: boolean) => unknown): FolderWatch {
  let isGone = false;
  let misses = 0;
  let closed = false;

  const isThere = () => isClusterAt(place, password);

  async function look(): Promise<void> {
    const there = await isThere();
    if (closed) return;
    timer.refresh();
    if (there === null) return;
    misses = there ? 0 : misses + 1;
    if (misses >= AGREE === isGone) return;
    isGone = !isGone;
    onChange(isGone);
  }

  const timer = setTimeout(look, LOOK_MS).unref();
  return {
    get isGone() {
      return isGone;
    },
    isThere,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
