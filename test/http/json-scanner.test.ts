/** Escapes that may hide text that cannot be stored, wherever the pieces of a body begin and end. */
import { expect, it } from 'vitest';
import { JsonScanner } from '../../src/http/json-scanner.ts';

const LONG = 'x'.repeat(100);

it.each([
  ['{"a": "\\u0000"}', true],
  [`{"a": "${LONG}\\u0000${LONG}"}`, true],
  ['{"a": "\\\\\\ud800"}', true],
  ['{"a": "\\\\u0000"}', false],
  ['{"a": "\\n\\"u0000"}', false],
  [`{"u": "${LONG}"}`, false],
])('%s has a character as its number: %s', (text, expected) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    const scanner = new JsonScanner(false);
    scanner.scan(bytes.subarray(0, at));
    scanner.scan(bytes.subarray(at));
    expect(scanner.hasUnicodeEscapes).toBe(expected);
    expect(scanner.isWhole).toBe(true);
  }
});
