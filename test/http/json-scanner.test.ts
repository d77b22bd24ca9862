/** What is told of a body before it is parsed, wherever its pieces begin and end. */
import { expect, it } from 'vitest';
import { JsonScanner, MAX_NAME } from '../../src/http/json-scanner.ts';

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

const FITS = 'x'.repeat(MAX_NAME);
/** Three bytes in the text, though one character. */
const WIDE = '€'.repeat(MAX_NAME / 3 + 1);

it.each([
  [`{"${FITS}": 1}`, false, []],
  [`{"${FITS}x": 1}`, true, []],
  [`{"${WIDE}"\n\t: 1}`, true, []],
  [`{"a": "${FITS}x", "b": {"${FITS}": ["${FITS}:"]}}`, false, []],
  [`{"a": {"b": {"${FITS}\\"": 1}}}`, true, []],
  [
    `{"documents": [{"text": "${FITS}x"}, {"a": {"${FITS}x": 1}}, {"b": "${FITS}x", "a": 1}], "c": 1}`,
    false,
    [false, true, false],
  ],
  // What is no JSON is the parser's to tell: only a string right before a colon is a name.
  [`{"a": "${FITS}x", b: 1}`, false, []],
  [`{"a": "${FITS}x" "b: c"}`, false, []],
  [`{"a": "${FITS}x"}:`, false, []],
  [`{"documents": [{"text": "${FITS}x"}, {a: 1}, "${FITS}x": 1]}`, false, [false, false, false]],
])('names that are too long are told, for items by themselves: %#', (text, expected, ofItems) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at += 7) {
    const scanner = new JsonScanner(true);
    scanner.scan(bytes.subarray(0, at));
    scanner.scan(bytes.subarray(at));
    expect(scanner.hasLongName).toBe(expected);
    expect(scanner.items.map(({ hasLongName }) => hasLongName)).toEqual(ofItems);
  }
});
