/** A sealed file is known to be whole or is refused, and never has its name before it is. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEntries, SealedFile, verifySeal } from '../../../src/storage/backup/sealed-file.ts';
import { TAR_END, tarFile } from '../../../src/storage/backup/tar.ts';
import { newFolder } from '../../support/process.ts';
import { newSealedFile, silent } from '../../support/sealed.ts';

const signal = new AbortController().signal;
const verify = (path: string) => verifySeal(path, silent, signal);
const content = Buffer.from('What is kept. '.repeat(20));
const REFUSED = /has no seal|is damaged/;

describe('a sealed file', () => {
  it('is found whole, is only its owner’s, and is read by us, by gzip and by tar', async () => {
    const path = join(newFolder(), 'file');
    const file = await SealedFile.create(path);
    expect(readdirSync(dirname(path))).toEqual(['file.part']);
    await file.write(tarFile('a', content));
    await file.write(TAR_END);
    const { size, bytes, sha256 } = await file.finish();
    expect(readdirSync(dirname(path))).toEqual(['file']);
    expect(statSync(path)).toMatchObject({ size, mode: 0o100600 });
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(sha256);
    expect(await verify(path)).toBe(bytes);

    const names: string[] = [];
    for await (const { name } of readEntries(path)) names.push(name);
    expect(names).toEqual(['a']);
    expect(spawnSync('gzip', ['-t', path], { encoding: 'utf8' })).toMatchObject({ status: 0 });
    expect(spawnSync('tar', ['-xzOf', path, 'a'])).toMatchObject({
      status: 0,
      stdout: content,
      stderr: Buffer.alloc(0),
    });
  });

  it('is refused when any bit of it is another', async () => {
    const path = await newSealedFile([tarFile('a', content)]);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      writeFileSync(path, damaged);
      await expect(verify(path), `bit ${at % 8} of byte ${at}`).rejects.toThrow(REFUSED);
    }
  });

  it('is refused when it is cut off anywhere, or longer', async () => {
    const path = await newSealedFile([tarFile('a', content)]);
    const whole = readFileSync(path);
    for (let length = whole.length - 1; length >= 0; length -= 3) {
      truncateSync(path, length);
      await expect(verify(path), `${length} bytes`).rejects.toThrow(REFUSED);
    }
    writeFileSync(path, Buffer.concat([whole, Buffer.from([0])]));
    await expect(verify(path)).rejects.toThrow(REFUSED);
  });

  it('is never written over another, nor over one that is being written', async () => {
    const path = await newSealedFile([]);
    await expect(SealedFile.create(path)).rejects.toThrow(`${path} is there already`);
    const other = join(dirname(path), 'other');
    const writing = await SealedFile.create(other);
    await expect(SealedFile.create(other)).rejects.toThrow('other.part is there');
    await writing.discard();
    expect(readdirSync(dirname(path))).toEqual(['file']);
  });

  it('does not take the place of one that came meanwhile', async () => {
    const path = join(newFolder(), 'file');
    const writing = await SealedFile.create(path);
    writeFileSync(path, 'of somebody else');
    await expect(writing.finish()).rejects.toThrow('is there already');
    expect(readFileSync(path, 'utf8')).toBe('of somebody else');
  });

  it.each([
    ['/no/such/folder/file', 'there is no folder /no/such/folder'],
    ['/dev/null/file', 'there is no folder /dev/null'],
    ['/tmp', 'is there already'],
  ])('%s is explained', async (path, words) => {
    await expect(SealedFile.create(path)).rejects.toThrow(words);
  });
});
