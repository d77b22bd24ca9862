/** A copy of the source, as it is or with a bug in it. The shipped code knows nothing of this. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../folder.ts';

export interface Edit {
  file: string;
  find: string;
  replace: string;
}

const PARTS = ['src', 'migrations', 'package.json'];

/** Throws when the text to change is not there exactly once: the code has moved on, and the bug has to be planted anew. */
export function copyWith(source: string, edits: Edit[]): string {
  const folder = newFolder('source');
  for (const part of PARTS) cpSync(join(source, part), join(folder, part), { recursive: true });
  symlinkSync(join(source, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, find, replace } of edits) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const times = text.split(find).length - 1;
    if (times !== 1) throw new Error(`${file} has this ${times} times, so the bug cannot be planted:\n${find}`);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
  return folder;
}
