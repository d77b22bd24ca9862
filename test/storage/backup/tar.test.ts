/** The archive by itself: what is written is read back, by us and by tar; what is cut off or damaged is an error. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readTar, TAR_END, tarFile } from '../../../src/storage/backup/tar.ts';

const files: [string, Buffer][] = [
  ['empty', Buffer.alloc(0)],
  ['folder/of a block', Buffer.alloc(512, 'a')],
  ['folder/longer', Buffer.from('Zürich, 東京'.repeat(100))],
];
const archive = Buffer.concat([...files.map(([name, content]) => tarFile(name, content)), TAR_END]);

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(bytes: Buffer, size = bytes.length): Promise<[string, Buffer][]> {
  const read: [string, Buffer][] = [];
  for await (const { name, content } of readTar(inPieces(bytes, size)))
    read.push([name, Buffer.concat(await Array.fromAsync(content))]);
  return read;
}

describe('an archive', () => {
  it.each([1, 7, 512, 1000, 100_000])('is read in pieces of %d bytes', async (size) => {
    expect(await readAll(archive, size)).toEqual(files);
  });

  it('is one that tar reads, and tar makes one that is read', async () => {
    const listed = spawnSync('tar', ['-tvf', '-'], { input: archive, encoding: 'utf8' });
    expect(listed.stderr).toBe('');
    expect(
      listed.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/)[2]),
    ).toEqual(files.map(([, content]) => `${content.length}`));
    const { stdout } = spawnSync('tar', ['--format=ustar', '-cf', '-', 'docs/facts.md', 'src/cli']);
    const types: string[] = [];
    for await (const { name, type } of readTar(inPieces(stdout, 4096))) types.push(`${type} ${name}`);
    expect(types).toEqual(expect.arrayContaining(['file docs/facts.md', 'folder src/cli/', 'file src/cli/keys.ts']));
  });

  it('skips what nobody reads, or not to its end', async () => {
    const names: string[] = [];
    for await (const { name, content } of readTar(inPieces(archive, 100))) {
      names.push(name);
      if (name === 'folder/longer') for await (const _piece of content) break;
    }
    expect(names).toEqual(files.map(([name]) => name));
  });

  it('that is cut off anywhere before its end is an error', async () => {
    for (let length = 0; length <= archive.length - TAR_END.length; length += 97)
      await expect(readAll(archive.subarray(0, length))).rejects.toThrow('cut off');
  });

  it('with a header that is damaged is an error', async () => {
    for (const at of [0, 100, 130, 150, 156, 257]) {
      const damaged = Buffer.from(archive);
      damaged[at] = (damaged[at] as number) ^ 1;
      await expect(readAll(damaged)).rejects.toThrow('damaged');
    }
  });
});
