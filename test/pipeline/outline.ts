/** What the pipeline makes of a text, in lines that a test can show side by side with it. */
import { normalise } from '../../src/pipeline/normalise.ts';
import { readDocument } from '../../src/pipeline/read.ts';

/** 'heading 1: text' for each block; for fields and rows the names and values. */
export function outline(type: string, text: string): string[] {
  const plain = normalise({ name: 'test', type, text });
  return plain.blocks.map(({ kind, level, within, start, end, cells }) => {
    const values = cells.map(({ label, start, end }) => `${label}=${plain.text.slice(start, end)}`);
    const place = [kind, level, within].filter((part) => part !== undefined && part !== '').join(' ');
    return `${place}: ${cells.length > 0 ? values.join(', ') : plain.text.slice(start, end)}`;
  });
}

export function sentences(type: string, text: string): string[] {
  return readDocument({ name: 'test', type, text }).sentences.map((sentence) => sentence.text);
}

/** Each sentence as it stands in the original. */
export function originals(type: string, text: string): string[] {
  return readDocument({ name: 'test', type, text }).sentences.map(({ span }) => text.slice(...span));
}
