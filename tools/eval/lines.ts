/** Reads files of JSON lines, packed or not, and says where a line is not as it should be. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { StartError } from '../../src/errors.ts';

/** Much more than any file that is judged, and less than a string may have. */
const MAX_UNPACKED = 256 * 2 ** 20;

export function readLines<Line>(file: string, keys: readonly (keyof Line & string)[]): { line: Line; place: string }[] {
  const lines = textOf(file)
    .split('\n')
    .flatMap((line, index) => {
      const place = `${file}, line ${index + 1}`;
      return line.trim() ? [{ line: parse(line, place, keys), place }] : [];
    });
  if (lines.length === 0) throw new StartError(`${file} has no lines`);
  return lines;
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file);
    return (file.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED }) : bytes).toString('utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parse<Line>(text: string, place: string, keys: readonly (keyof Line & string)[]): Line {
  let line: Line;
  try {
    line = JSON.parse(text);
  } catch {
    throw new StartError(`${place}: not JSON`);
  }
  for (const key of keys)
    if (typeof line?.[key] !== 'string') throw new StartError(`${place}: '${key}' is missing or not a string`);
  return line;
}
