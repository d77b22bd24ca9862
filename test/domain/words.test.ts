import { expect, it } from 'vitest';
import { withWords } from '../../src/domain/settle/group-words.ts';
import { wordsOf } from '../../src/domain/words.ts';

it.each([
  ['Acme Robotics', ['acm', 'robotic']],
  ['the ACME, the acme', ['the', 'acm']],
  ['Malmö Köln', ['malmo', 'koln']],
  ['number of employees (2024)', ['numb', 'of', 'employ', '2024']],
  ['!? \u200b', []],
  ['', []],
])('the words of %s', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it('are the same for every form of a word', () => {
  expect(wordsOf('Employees of plants')).toEqual(wordsOf('employee of plant'));
});

it('cuts no character in two', () => {
  expect(wordsOf('𝔸'.repeat(50))).toEqual(['a'.repeat(40)]);
  expect(wordsOf('𐐀'.repeat(50))[0]?.isWellFormed()).toBe(true);
});

const row = { documents: 2, disputes: 0, leader: 1, changed_at: null, varied: false };

it('finds a group by what its new documents call it, once two speak of it', () => {
  const rows = [
    { ...row, group_key: 1 },
    { ...row, group_key: 2 },
  ];
  const readings = [
    { groups: [1, 2], labels: ['Acme employees', 'Acme plants'] },
    { groups: [1], labels: ['the Acme employees'] },
  ];
  expect(withWords({ rows, found: new Set([1]) }, readings)).toEqual([
    { ...row, group_key: 1, words: ['', 'acm', 'employ', 'the'] },
    { ...row, group_key: 2 },
  ]);
});
