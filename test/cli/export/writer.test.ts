/** The last line of a file is about all of it, however often the connection was cut. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ExportLine } from '../../../client/src/index.ts';
import { ExportWriter } from '../../../src/cli/export/writer.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const endOf = (documents: number, changed = false) => ({
  kind: 'end',
  counts: { documents, claims: 0, facts: 0, contradictions: 0 },
  sha256: 'of something else',
  revision: { start: 7, end: 9 },
  changed,
});

/** Of a record only its kind matters here. */
async function written(lines: { kind: string }[]) {
  let text = '';
  const writer = new ExportWriter({
    write: async (piece) => {
      text += Buffer.from(piece).toString();
    },
    finish: async () => {},
    discard: async () => {},
  });
  for (const line of lines) await writer.take(line as ExportLine);
  await writer.finish();
  return { text, writer };
}

const document = (n: number) => ({ kind: 'document', document_id: `d${n}`, text: 'é'.repeat(10_000) });

it('counts and sums up what was written, and leaves cursors out', async () => {
  const lines = [document(1), document(2), { kind: 'cursor', cursor: 'c' }, ...[3, 4, 5, 6, 7, 8, 9].map(document)];
  const { text, writer } = await written([...lines, endOf(9, true)]);
  const records = text.trimEnd().split('\n');
  const before = `${records.slice(0, -1).join('\n')}\n`;
  expect(records.map((line) => JSON.parse(line).kind)).toEqual([...Array(9).fill('document'), 'end']);
  expect(JSON.parse(records.at(-1) as string)).toEqual({ ...endOf(9, true), sha256: sha256(before) });
  expect([writer.sha256, writer.bytes, writer.lines]).toEqual([sha256(text), Buffer.byteLength(text), 10]);
  expect([writer.isTakenUp, writer.isChanged]).toEqual([false, true]);
});

it('counts what came before a cut, which the service does not', async () => {
  const { text, writer } = await written([document(1), document(2), endOf(1)]);
  expect(text).toContain('"counts":{"documents":2,');
  expect(writer.isTakenUp).toBe(true);
});

it('is not finished without the last line of the service', async () => {
  await expect(written([document(1)])).rejects.toThrow('no last line');
});
