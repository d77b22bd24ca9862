/** Which files an import finds, in which order, and what it leaves out. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { walk } from '../../../src/cli/import/walk.ts';
import { newFolderOf } from '../../support/command.ts';

const never = new AbortController().signal;

const folderOf = (names: string[]) => newFolderOf(Object.fromEntries(names.map((name) => [name, name])));

async function namesOf(paths: string[], bounds?: Parameters<typeof walk>[3]) {
  const failed: string[] = [];
  const { files, leftOut } = await walk(paths, (name, why) => failed.push(`${name}: ${why}`), never, bounds);
  return { names: files.map(({ name }) => name), leftOut: leftOut.lines(), failed, files };
}

it('takes what it knows by its ending, in order of names, folders among them', async () => {
  const names = ['b.txt', 'a/z.md', 'a/B.HTML', 'a/b/c.json', 'B.csv', 'lines.jsonl', 'é.txt'];
  const { files, ...rest } = await namesOf([folderOf(names)]);
  expect(rest).toEqual({
    names: ['B.csv', 'a/B.HTML', 'a/b/c.json', 'a/z.md', 'b.txt', 'lines.jsonl', 'é.txt'],
    leftOut: [],
    failed: [],
  });
  expect(files.map(({ type, isLines, bytes }) => [type, isLines, bytes]).slice(0, 2)).toEqual([
    ['csv', false, 5],
    ['html', false, 8],
  ]);
  expect(files.find(({ isLines }) => isLines)?.name).toBe('lines.jsonl');
});

it('leaves out what is hidden, installed, a link or of another kind, and counts it by why with names', async () => {
  const elsewhere = folderOf(['secret.txt']);
  const images = Array.from({ length: 4 }, (_, n) => `${n}.png`);
  const folder = folderOf(['a.txt', '.git/config.txt', '.env.txt', 'node_modules/x/readme.md', 'LICENSE', ...images]);
  symlinkSync(elsewhere, join(folder, 'out'));
  symlinkSync(join(elsewhere, 'secret.txt'), join(folder, 'secret.txt'));
  symlinkSync('.', join(folder, 'again'));
  const { names, leftOut } = await namesOf([folder]);
  expect(names).toEqual(['a.txt']);
  expect(leftOut).toEqual([
    'left out, .png: 4 (0.png, 1.png, 2.png, …)',
    'left out, links: 3 (again, out, secret.txt)',
    'left out, hidden: 2 (.env.txt, .git)',
    'left out, without an ending: 1 (LICENSE)',
    'left out, node_modules: 1 (node_modules)',
  ]);
});

it('takes what is named, be it hidden or a link, by its own name or relative to the folder', async () => {
  const folder = folderOf(['deep/a.txt', '.hidden/b.txt', '.c.md']);
  symlinkSync('deep', join(folder, 'link'));
  const named = ['link', '.hidden', '.c.md', 'deep/a.txt'].map((name) => join(folder, name));
  expect((await namesOf(named)).names).toEqual(['a.txt', 'b.txt', '.c.md', 'a.txt']);
});

it('does not let a name move a cursor', async () => {
  const { leftOut } = await namesOf([folderOf(['a\u001b[2J.png'])]);
  expect(leftOut).toEqual(['left out, .png: 1 (a\\u{1b}[2J.png)']);
});

it('counts endings that there are too many of together', async () => {
  const { leftOut } = await namesOf([folderOf(Array.from({ length: 30 }, (_, n) => `a.e${n}`))]);
  expect(leftOut).toHaveLength(21);
  expect(leftOut[0]).toMatch(/^left out, of further kinds: 10 \(/);
});

it('refuses a path that is not there, and more files than it remembers', async () => {
  const folder = folderOf(['a.txt', 'b.txt', 'c.txt']);
  await expect(namesOf([join(folder, 'none')])).rejects.toThrow(/none: it is not there/);
  await expect(namesOf(['/dev/null'])).rejects.toThrow('neither a file nor a folder');
  await expect(namesOf([folder], { maxFiles: 2, maxEntries: 9 })).rejects.toThrow('more than 2 files');
  await expect(namesOf([folder], { maxFiles: 9, maxEntries: 2 })).rejects.toThrow('more than 2 files');
  expect((await namesOf([folder], { maxFiles: 3, maxEntries: 3 })).names).toHaveLength(3);
});
