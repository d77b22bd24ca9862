/** What the span of a claim cuts out of the text that was posted is what its sentence says, in every format. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SENTENCE_SHOWN } from '../../src/pipeline/claim.ts';
import { normalise } from '../../src/pipeline/normalise.ts';
import { claims } from './extract/read-claims.ts';

/** Characters of several units, some that are left out, and what means something in one of the formats. */
const odd = [
  ...['😀', '👩‍🚀', 'e\u0301', 'é', '東京', '\u00ad', '\u200b', '\ufeff', '  ', '\t', '\u0001', '\r\n', '\n', '"', "'"],
  ...['&amp;', '&#x1F600;', '&#0;', '&nbsp;', '<b>b</b>', '<br>', '**bold**', '*it*', '`code`', '\\*', '|', '# '],
  ...['[a link](https://x.test/y)', 'Dr. Who', '1,200', ' and ', 'Acme', 'on and '.repeat(80)],
];
const words = fc.array(fc.constantFrom(...odd), { maxLength: 5 }).map((pieces) => pieces.join(''));
const sentence = fc
  .tuple(words, fc.integer({ min: 2, max: 9999 }), words)
  .map(([before, staff, after]) => `${before} Acme Robotics has ${staff} employees in Cork ${after}.`);

interface Document {
  sentences: string[];
  name: string;
  value: string;
  lineEnd: string;
  mark: string;
}

const document: fc.Arbitrary<Document> = fc.record({
  sentences: fc.array(sentence, { minLength: 1, maxLength: 4 }),
  name: words,
  value: words,
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\ufeff'),
});

const inLine = (text: string) => text.replace(/[\s|]+/g, ' ');
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const writers: Record<string, (document: Document) => string> = {
  txt: ({ sentences, value }) => `${sentences.join('\n\n')}\n\nStaff: 12 ${inLine(value)}`,
  md: ({ sentences, name, value }) =>
    `# Acme ${inLine(name)}\n\n${sentences.join('\n\n')}\n\n**Staff**: 12 ${inLine(value)}\n\n` +
    `| name | staff |\n|---|---|\n| Acme ${inLine(name)} | 12 |\n`,
  html: ({ sentences, name }) =>
    `<h1>Acme</h1>${sentences.map((text) => `<p>${text}</p>`).join('\n')}` +
    `<table><tr><th>name<th>staff<tr><td>Acme ${name}<td>12</table>`,
  csv: ({ sentences }) =>
    ['name,staff,text', ...sentences.map((text, nth) => [`Acme ${nth}`, '12', text].map(quoted).join(','))].join('\n'),
  json: ({ sentences, name, value }) =>
    JSON.stringify({ name: `Acme ${name}`, staff: 12, 'head of': `${value}\0`, text: sentences.join('\n'), sentences }),
  'ld+json': (one) =>
    writers.json?.(one).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) ?? '',
};

const unescaped = (json: string) =>
  json.replaceAll(/\\(?:u(.{4})|(.))/g, (_, code, one) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : 'nrtbf'.includes(one) ? ' ' : one,
  );
/** As a reader would who has the span alone. Of what is quoted, only what is within the quotes is cut out. */
const readers: Record<string, (cut: string) => string> = {
  txt: (cut) => plain('txt', cut),
  md: (cut) => plain('md', cut),
  html: (cut) => plain('html', cut),
  csv: (cut) => plain('txt', cut),
  json: (cut) => plain('txt', unescaped(cut)),
  'ld+json': (cut) => plain('txt', unescaped(cut)),
};
const plain = (type: string, text: string) => normalise({ name: 'n', type, text }).text.replaceAll('\n', ' ');
/** What parts cells is ' | ' and ': ' in a sentence, whatever it is in the text; marks may be halved by the cut. */
const letters = (text: string) => text.toWellFormed().replace(/[^\p{L}\p{N}\p{So}]/gu, '');

/** Each claim of a document, with what the reader makes of its span. */
function* cutOut(type: string, made: Document) {
  const written = (writers[type] as (typeof writers)[string])(made).replaceAll('\n', made.lineEnd);
  const text = `${made.mark}${written}`;
  for (const { sentence, span } of claims(text, undefined, type))
    yield { sentence, read: (readers[type] as (typeof readers)[string])(text.slice(span.start, span.end)) };
}

const isOf = (sentence: string, read: string, isShortened: boolean) =>
  isShortened ? read.startsWith(sentence) : read === sentence;

describe.each(Object.keys(writers))('%s', (type) => {
  it('has the words of its sentences where the spans say', () => {
    let found = 0;
    fc.assert(
      fc.property(document, (made) => {
        for (const { sentence, read } of cutOut(type, made)) {
          found++;
          const isShortened = sentence.length >= SENTENCE_SHOWN - 1;
          expect(isOf(letters(sentence), letters(read), isShortened), `${sentence} // ${read}`).toBe(true);
          if (type === 'txt') expect(isOf(sentence, read, isShortened), `${sentence} // ${read}`).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
    expect(found).toBeGreaterThan(100);
  });
});
