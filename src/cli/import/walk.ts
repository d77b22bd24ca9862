/** Finds the files that an import was given: files as they are named, and folders with all that is in them, in a stable order. */
import type { Dirent } from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartError } from '../../errors.ts';
import { LeftOut } from './left-out.ts';

/** What the service reads by its form, and lines of JSON. The ending is the type that a document is sent with. */
const ENDINGS = new Set('txt text md markdown html htm xhtml json csv tsv jsonl ndjson'.split(' '));
const LINES = /^(jsonl|ndjson)$/;

/** Each is remembered, with its path, from the beginning to the end. */
const MAX_FILES = 1_000_000;
/** Also of what is left out: a folder is read to its end before it is sorted. */
const MAX_ENTRIES = 2_000_000;

export interface FoundFile {
  path: string;
  /** Relative to the folder that was named, with slashes: what it is called in the scope. */
  name: string;
  type: string;
  isLines: boolean;
  bytes: number;
  /** By whoever imports, who may mean a link; links in a folder are not followed. */
  isNamed: boolean;
}

export interface Found {
  files: FoundFile[];
  leftOut: LeftOut;
}

/** Of a folder or a file that could not be looked at. */
export type Fail = (name: string, why: string) => void;

export interface Bounds {
  maxFiles: number;
  maxEntries: number;
}

/** Throws a StartError for a path that is not there, and when there is more than an import remembers. */
export async function walk(
  paths: string[],
  fail: Fail,
  signal: AbortSignal,
  { maxFiles, maxEntries }: Bounds = { maxFiles: MAX_FILES, maxEntries: MAX_ENTRIES },
): Promise<Found> {
  const found: Found = { files: [], leftOut: new LeftOut() };
  let entries = 0;

  const takeFile = (path: string, name: string, bytes: number, isNamed = false) => {
    const type = endingOf(name);
    if (!ENDINGS.has(type)) return found.leftOut.note(type ? `.${type}` : 'without an ending', name);
    if (found.files.length >= maxFiles) throw tooMany(maxFiles, path);
    found.files.push({ path, name, type, isLines: LINES.test(type), bytes, isNamed });
  };

  const takeFolder = async (path: string, prefix: string): Promise<void> => {
    const children: Dirent[] = [];
    try {
      for await (const child of await opendir(path)) {
        if (++entries > maxEntries) throw tooMany(maxEntries, path);
        children.push(child);
      }
    } catch (error) {
      if (error instanceof StartError) throw error;
      return fail(prefix || path, whyNot(error));
    }
    // By their code units: the same everywhere, whatever the language of the machine.
    children.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const child of children) {
      signal.throwIfAborted();
      await takeChild(child, join(path, child.name), prefix + child.name);
    }
  };

  const takeChild = async (child: Dirent, path: string, name: string): Promise<void> => {
    if (child.name.startsWith('.')) return found.leftOut.note('hidden', name);
    if (child.name === 'node_modules') return found.leftOut.note('node_modules', name);
    // What a link leads to is in the folder anyway, or outside of it.
    if (child.isSymbolicLink()) return found.leftOut.note('links', name);
    if (child.isDirectory()) return takeFolder(path, `${name}/`);
    if (!child.isFile()) return found.leftOut.note('neither files nor folders', name);
    // One of another kind need not be looked at.
    if (!ENDINGS.has(endingOf(name))) return takeFile(path, name, 0);
    try {
      takeFile(path, name, (await lstat(path)).size);
    } catch (error) {
      if (error instanceof StartError) throw error;
      fail(name, whyNot(error));
    }
  };

  for (const path of paths) {
    const stats = await stat(path).catch((error) => {
      throw new StartError(`${path}: ${whyNot(error)}`);
    });
    // Whoever names something means it, be it hidden or a link.
    if (stats.isDirectory()) await takeFolder(path, '');
    else if (stats.isFile()) takeFile(path, basename(path), stats.size, true);
    else throw new StartError(`${path} is neither a file nor a folder`);
  }
  return found;
}

/** In small letters, without the dot; empty when there is none. */
const endingOf = (name: string) => /[^/]\.([^./]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? '';

export function whyNot(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it is not there';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read by this user';
  return message;
}

const tooMany = (most: number, path: string) =>
  new StartError(`there are more than ${most} files: import the folders in it one by one (it came as far as ${path})`);
