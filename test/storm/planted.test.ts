/** The storm's planted bugs can still be planted. Whether they are caught takes minutes: npm run storm -- --planted. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { enclosed } from '../../storm/ending.ts';
import { bugs } from '../../storm/planted/bugs.ts';
import { copyWith } from '../../storm/planted/copy.ts';

it.each(bugs)('$name: the code still reads as it does there, and can be run with it', async ({ edits }) => {
  await enclosed(async () => {
    const copy = copyWith(process.cwd(), edits);
    for (const { file } of edits) {
      const text = readFileSync(join(copy, file), 'utf8');
      expect(text).not.toBe(readFileSync(file, 'utf8'));
      if (file.endsWith('.ts')) stripTypeScriptTypes(text);
    }
  });
});

it('says when the code has moved on', async () => {
  const edit = { file: 'src/main.ts', find: 'this was never there', replace: '' };
  await expect(enclosed(async () => copyWith(process.cwd(), [edit]))).rejects.toThrow('0 times');
});
