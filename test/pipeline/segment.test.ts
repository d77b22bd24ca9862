import { describe, expect, it } from 'vitest';
import { MAX_SENTENCE } from '../../src/pipeline/segment.ts';
import { sentences } from './outline.ts';

/** Sentences are parted by a bar. */
const examples = (list: string[]) => list.map((example) => ({ text: example.replaceAll(' | ', ' '), example }));

describe('a text is cut into sentences', () => {
  it.each(
    examples([
      'It is old. | It has 300 employees! | Is it big? | Yes.',
      'It ends without a full stop',
      'It opened in 1889. | 300 people came.',
      '"It is late." | He left.',
      'He said: “Go!” | She went.',
      '(It was late.) | He left.',
      'It stands.[1] | It is high.[2][note 3] | It shines.',
      'Is it?! | It is!!! | Good.',
      'It was so... | Then it was not.',
      'It was so… and then not… | Well.',
      'It starts. | "Quoted it goes on."',
      'It costs 5 €. | ¿Por qué? | Él dijo. | Ärger kam.',
      'it is all in small letters. | it goes on. | so it does.',
      'The answer is no. | Then he left.',
      'It was made by Acme Inc. | The firm is old.',
      'He lives in the U.S. | He works there.',
      'They met at 5 p.m. | It was dark.',
      'There are cats, dogs, etc. | They are pets.',
      'He is older than I. | She is not.',
      'It won . | It lost .',
    ]),
  )('after its end: $example', ({ text, example }) => {
    expect(sentences('txt', text)).toEqual(example.split(' | '));
  });

  it.each([
    'Dr. Smith met Mr. and Mrs. Jones of St. Louis.',
    'J. R. R. Tolkien and J.K. Rowling met George W. Bush.',
    'It is 3.5 m high, i.e. 11.5 ft, e.g. as Berlin is, or approx. Twice that.',
    'See No. 5, pp. 7 and Fig. 3 on p. 12 of vol. II.',
    'The U.S. Senate met at 5 p.m. EST on Jan. 5, 2020.',
    'Acme Inc. Holdings vs. Beta Corp. International Ltd. was heard.',
    'Version 1.2.3 of app.config.json is at https://example.org/a.html?b=c. d or me@example.co.uk today.',
    'He wrote "Stop!" on it.',
    'Well... I think so.',
    'It was (see above.) quite late.',
    'The 3. day was cold.',
    'It went to No . 86 Wing and to Dr . Smith.',
    'A Ph.D. Student of Smith et al. Found it.',
  ])('but not after a full stop within: %s', (text) => {
    expect(sentences('txt', text)).toEqual([text]);
  });

  it.each([
    "- {flash: None, info: '5 MP'}",
    '[Accelerometer, GPS, 3.5 mm jack]',
    'sensors: [Accelerometer, GPS, a camera that has 5 MP]',
    'makers: [Acme Inc., Beta Inc.]',
    'sizes: [[1, 2], [3, 4]]',
    '{It has, as data, 300 employees.}',
  ])('but not where it is data: %s', (text) => {
    expect(sentences('md', text)).toEqual([]);
  });

  it.each(['[1] It has 300 employees [2]', '[Acme] has {300} employees', '[[Bern]]'])(
    'though it stands in brackets: %s',
    (text) => {
      expect(sentences('txt', text)).toEqual([text]);
    },
  );

  it.each([
    ['[Acme Ltd has 40 employees.]', ['Acme Ltd has 40 employees.']],
    ['[Editor: Acme Ltd has 40 employees. It is old.]', ['Editor: Acme Ltd has 40 employees.', 'It is old.']],
    ['Note: [Acme Ltd has 40 employees, not 30.]', ['Acme Ltd has 40 employees, not 30.']],
  ])('and without the brackets that a note stands in: %s', (text, expected) => {
    expect(sentences('txt', text)).toEqual(expected);
  });

  it('after the full stops of Chinese and Japanese, without a blank', () => {
    expect(sentences('txt', '塔高330米。它很旧！「是吗？」是')).toEqual([
      '塔高330米。',
      '它很旧！',
      '「是吗？」',
      '是',
    ]);
  });

  it('but not between initials', () => {
    expect(sentences('txt', 'It stands at Fort D. A. Russell. The plan was B. A year later it burned.')).toEqual([
      'It stands at Fort D. A. Russell.',
      'The plan was B.',
      'A year later it burned.',
    ]);
  });

  it('but not after its number', () => {
    expect(sentences('html', '<p>1. The first is late. 2. The second is not.</p>')).toEqual([
      '1. The first is late.',
      '2. The second is not.',
    ]);
  });

  it('at the end of each block', () => {
    expect(sentences('md', '# Title\n\n- one\n- two\n\nthree')).toEqual(['Title', 'one', 'two', 'three']);
  });

  it('with what a label names, if that is a text', () => {
    const text = 'Term: January 1, 2020 through December 31, 2024. Monthly Rent: $5,000.';
    expect(sentences('txt', text)).toEqual([
      'Term: January 1, 2020 through December 31, 2024.',
      'Monthly Rent: $5,000.',
    ]);
    expect(sentences('txt', 'Maker: Acme Inc.')).toEqual(['Maker: Acme Inc.']);
  });

  it('and is left out where it says nothing', () => {
    expect(sentences('txt', '. . . ! ? Yes. *** --- …')).toEqual(['Yes.']);
  });

  it('at a blank where there is no end for too long', () => {
    const cut = sentences('txt', 'word '.repeat(1000).trim());
    expect(cut.join(' ')).toBe('word '.repeat(1000).trim());
    expect(cut.every(({ length }) => length <= MAX_SENTENCE)).toBe(true);
    expect(cut).toHaveLength(3);
  });

  it('anywhere where there is not even a blank, but not within a character', () => {
    const text = `x${'😀'.repeat(3000)}`;
    const cut = sentences('txt', `${text}x`.replaceAll('😀', '𝒜'));
    expect(cut.join('')).toBe(`${text}x`.replaceAll('😀', '𝒜'));
    expect(cut.every((sentence) => sentence.length <= MAX_SENTENCE && sentence.isWellFormed())).toBe(true);
  });
});
