import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { normalise } from '../../src/pipeline/normalise.ts';
import { whyNotText } from '../../src/pipeline/not-text.ts';

const bytes = randomBytes(3000);
const base64 = bytes.toString('base64');
const lines = (width: number, end: string) => base64.replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${end}`);

describe('what is plainly no text', () => {
  it.each([
    ['base64', base64],
    ['base64', bytes.toString('base64url')],
    ['base64', lines(76, '\r\n')],
    ['base64', `${lines(64, '\n')}\n`],
    ['base64', `data:application/pdf;base64,${base64.slice(0, 80)}`],
    ['binary data', bytes.toString('latin1').replaceAll('\0', '')],
    ['binary data', bytes.toString('utf8').replaceAll('\0', '')],
    ['the bytes of a PDF', '%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj'],
  ])('is called %s', (what, text) => {
    expect(whyNotText(text)).toContain(what);
  });
});

it.each([
  ['prose', 'The lease runs for three years from 12 March 2026. '.repeat(20)],
  ['a hash', 'sha256:9F86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['words, one a line', 'Alpha1\nBeta22\nGamma3\nDelta4\n'.repeat(20)],
  ['one letter', 'x'.repeat(5000)],
  ['Japanese', '契約は三年間です。'.repeat(40)],
  ['a table', 'a\tb\f\r\n1\t2\u0085'.repeat(50)],
  ['a text with a few broken characters', `It costs 3 \ufffd and ${'no more '.repeat(20)}`],
  ['nearly nothing', '\u0085'],
])('lets pass %s', (_what, text) => expect(whyNotText(text)).toBeNull());

describe('a type', () => {
  it.each(['txt', '', 'text/plain; charset=utf-8', '.txt', 'md', 'text/html', 'application/ld+json', 'tsv'])(
    'that is known: %s',
    (type) => expect(normalise({ name: 'n', type, text: '{}' }).warnings).toEqual([]),
  );

  it.each(['pdf', 'docx', 'application/xml', '__proto__', 'constructor'])('that is not: %s', (type) => {
    const { warnings, text } = normalise({ name: 'n', type, text: 'The lease.' });
    expect(warnings).toEqual([
      `The type "${type}" is not known: it was read as plain text. Known are txt, md, html, json, csv and tsv.`,
    ]);
    expect(text).toBe('The lease.');
  });
});
