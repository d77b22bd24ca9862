/** Whatever a document is made of, what leaves the pipeline is text that Postgres can keep. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cut, isWithinCharacter, storable } from '../../src/pipeline/storable.ts';
import { checkAnswer, type ExtractorAnswer } from '../../src/runtime/extractor-answer.ts';
import type { Side, ThreadDocument, ThreadResult } from '../../src/runtime/thread.ts';
import { Threads } from '../../src/runtime/threads.ts';
import { rounds } from '../support/rounds.ts';

const module = new URL('../../src/runtime/pipeline-thread.ts', import.meta.url);
const threads = new Threads({ threads: 1, module, documentTimeoutMs: 60_000, memoryMb: 256 });
const watcher = { signal: new AbortController().signal, onProgress: () => {} };
beforeAll(() => threads.start());
afterAll(() => threads.stop());

/** What may stand anywhere; and what only an escape can say, for a text with these is refused when it is posted. */
const harmless = ['😀', '👩‍🚀', '𐐀𐐨', '𝟗', 'é', 'ab', ' ', '-', "'", ', '];
const escaped = ['\0', '\ud83d', '\ude00', '\ud83d\ud83d\ude00'];
const words = fc.array(fc.constantFrom(...harmless, ...escaped), { maxLength: 12 }).map((pieces) => pieces.join(''));
/** Long enough to be cut, at any unit of a character. */
const tail = (most: number) =>
  fc
    .tuple(fc.integer({ min: most - 60, max: most + 3 }), fc.constantFrom(...harmless, ...escaped))
    .map(([length, piece]) => 'x'.repeat(length % 4) + piece.repeat(Math.ceil(length / piece.length)));

interface Facts {
  name: string;
  label: string;
  value: string;
  sentence: string;
}

const facts: fc.Arbitrary<[Facts, Facts]> = fc
  .record({
    name: fc.oneof(words, tail(80)),
    label: fc.oneof(words, tail(80), tail(200)),
    value: fc.oneof(words, tail(80)),
    sentence: fc.oneof(words, tail(500), tail(2000)),
  })
  .map(({ name, label, value, sentence }) => {
    const make = (staff: string, head: string): Facts => ({
      name: `Acme ${name}`,
      label: `Head ${label}`,
      value: `${head}${value}`,
      sentence: `Acme Robotics has ${staff} employees in Cork${sentence}.`,
    });
    return [make('1,900', 'Anna'), make('2,310', 'Bertha')];
  });

const byNumber = (text: string) =>
  text.replace(/[\0<>&|]|[\ud800-\udfff]/gu, (found) => `&#x${found.charCodeAt(0).toString(16)};`);
const inQuotes = (text: string) => `"${storable(text).replaceAll('"', '""')}"`;
/** Emoji as escapes, too; JSON.stringify itself escapes what is no character, and U+0000. */
const asJson = (value: object) =>
  JSON.stringify(value).replace(
    /[\u{10000}-\u{10ffff}]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16)}\\u${found.charCodeAt(1).toString(16)}`,
  );
const asText = ({ name, label, value, sentence }: Facts) =>
  storable(`Name: ${name}\n${label}: ${value}\nStaff: 40${value}\n\n${sentence}\n`);

const writers: Record<string, (facts: Facts) => string> = {
  txt: asText,
  other: asText,
  json: ({ name, label, value, sentence }) =>
    asJson({ name, [label]: value, [`${label}\0`]: 5, inner: { [`\0${label}`]: [value] }, notes: sentence }),
  csv: ({ name, label, value, sentence }) =>
    `name,${inQuotes(label)},text\n${[name, value, sentence].map(inQuotes).join(',')}\n`,
  md: ({ name, label, value, sentence }) =>
    `---\n${byNumber(label)}: ${byNumber(value)}\n---\n# ${byNumber(name)}\n\n**${byNumber(label)}**: ${byNumber(value)}\n\n` +
    `| name | ${byNumber(label)} |\n|---|---|\n| ${byNumber(name)} | ${byNumber(value)} |\n\n${byNumber(sentence)}\n`,
  html: ({ name, label, value, sentence }) =>
    `<h1>${byNumber(name)}&#0;</h1><dl><dt>${byNumber(label)}<dd>${byNumber(value)}</dl>` +
    `<table><tr><th>name<th>${byNumber(label)}<tr><td>${byNumber(name)}<td>${byNumber(value)}</table><p>${byNumber(sentence)}`,
};

/** Every string in it, however deep. */
function* stringsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      yield name;
      yield* stringsIn(item);
    }
}

const unstorable = (value: unknown) => [...stringsIn(value)].filter((text) => text !== storable(text));

function outcomeOf<Outcome>(result: ThreadResult<Outcome> | null | undefined): Outcome {
  if (!result || 'error' in result) throw new Error(`it failed: ${JSON.stringify(result)}`);
  return result.outcome;
}

type Pair = [ThreadDocument, ThreadDocument];

/** What documents say, and where each two contradict each other, as it is handed on to be stored: how many times for each. */
async function examine(pairs: Pair[]): Promise<number[]> {
  const documents = pairs.flat();
  const read = (await threads.read('ten_1', documents, watcher)).results.map(outcomeOf);
  for (const { claims, warnings } of read) {
    // As it was made, and not as it is mended when it is read again.
    expect(unstorable(JSON.parse(claims))).toEqual([]);
    expect(unstorable(warnings)).toEqual([]);
  }
  const comparisons = pairs.map((_, n) => ({ own: 2 * n, others: [2 * n + 1] }));
  const texts = read.map(({ claims }) => claims);
  const found = (await threads.compare('ten_1', comparisons, texts, watcher)).results.map(outcomeOf);
  expect(unstorable(found)).toEqual([]);
  found.forEach((conflicts, n) => {
    for (const { own, others } of conflicts) {
      expectWithin(documents[2 * n] as ThreadDocument, own);
      expectWithin(documents[2 * n + 1] as ThreadDocument, others);
    }
  });
  return found.map(({ length }) => length);
}

function expectWithin({ text, given }: ThreadDocument, { span: { start, end } }: Side): void {
  expect(start).toBeLessThanOrEqual(end);
  expect(end).toBeLessThanOrEqual(text.length);
  // A span that comes with a sentence of its own is only handed through.
  if (!given) expect(isWithinCharacter(text, start) || isWithinCharacter(text, end)).toBe(false);
}

describe('what leaves the pipeline', () => {
  it('is storable, whatever a document of any type is made of', async () => {
    const contradictions = new Map(Object.keys(writers).map((type) => [type, 0]));
    await fc.assert(
      fc.asyncProperty(facts, async (pair) => {
        const pairs = Object.entries(writers).map(
          ([type, write]) => pair.map((one) => document(type, write(one))) as Pair,
        );
        // As it is when it was posted.
        expect(unstorable(pairs)).toEqual([]);
        (await examine(pairs)).forEach((found, n) => {
          const { type } = (pairs[n] as Pair)[0];
          contradictions.set(type, (contradictions.get(type) ?? 0) + found);
        });
      }),
      { numRuns: rounds(40, 1000) },
    );
    // Else this would have looked at half of what is stored.
    expect([...contradictions].filter(([, found]) => found === 0)).toEqual([]);
  });

  it('is storable, whatever an extractor of the operator answers', async () => {
    const answer = fc.record({
      subject: fc.oneof(words, tail(80)).map((text) => `Acme ${text}`),
      attribute: fc.oneof(words, tail(80)).map((text) => `Head ${text}`),
      value: fc.oneof(words, tail(80)).map((text) => `Anna${text}`),
      unit: fc.option(words, { nil: undefined }),
      sentence: fc.option(fc.oneof(words, tail(500)), { nil: undefined }),
      span: fc.tuple(fc.nat(600), fc.nat(600)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 })),
    });
    const plain = { subject: 'Acme', attribute: 'Head', value: 'Anna', span: { start: 0, end: 1 } };
    const text = `a${'😀'.repeat(300)}`;
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(answer, async (claim) => {
        const checked = checkAnswer({ claims: [claim], warnings: [claim.value] }, text);
        expect(unstorable(checked)).toEqual([]);
        if ('wrong' in checked) return;
        taken++;
        const given = (value: string): ExtractorAnswer => ({
          ...checked,
          claims: checked.claims.map((one) => ({ ...one, value })),
        });
        await examine([
          [
            { ...document('txt', text), given: given(claim.value) },
            { ...document('txt', text), given: given('Bertha') },
          ],
        ]);
      }),
      { numRuns: rounds(60, 2000), examples: [[{ ...plain, unit: undefined, sentence: undefined }]] },
    );
    expect(taken).toBeGreaterThan(0);
  });

  it('is storable, though an earlier release has kept what is not', async () => {
    const [document] = (
      await threads.read('ten_1', [{ name: 'n', type: 'txt', text: 'Acme Robotics has 1,900 employees.' }], watcher)
    ).results;
    const { claims } = outcomeOf(document);
    const old = claims.replaceAll('employees.', 'employees.\\u0000\\ud83d').replaceAll('1,900', '2,310');
    expect(unstorable(JSON.parse(old))).not.toEqual([]);
    const outcome = await threads.compare(
      'ten_1',
      [{ own: 0, others: [1] }],
      [claims, old.replaceAll('1900', '2310')],
      watcher,
    );
    const found = outcomeOf(outcome.results[0]);
    expect(found).toHaveLength(1);
    expect(unstorable(found)).toEqual([]);
  });
});

const document = (type: string, text: string): ThreadDocument => ({ name: 'n', type, text });

describe('a cut', () => {
  it('never halves a character, and leaves at most one unit more out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(22), (text, most) => {
        const short = cut(text, most);
        expect(text.startsWith(short)).toBe(true);
        expect(short.isWellFormed()).toBe(true);
        expect(short.length).toBeLessThanOrEqual(most);
        expect(short.length).toBeGreaterThanOrEqual(Math.min(text.length, most - 1));
      }),
    );
  });
});
