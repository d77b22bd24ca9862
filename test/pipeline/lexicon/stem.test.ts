import { describe, expect, it } from 'vitest';
import { stem } from '../../../src/pipeline/lexicon/stem.ts';

describe('stem', () => {
  it.each([
    ['founded', 'founder', 'founding'],
    ['considered', 'consider', 'considers'],
    ['modelled', 'model', 'models'],
    ['companies', 'company'],
    ['born', 'birth'],
    ['died', 'death', 'dying'],
    ['directed', 'director', 'directing'],
    ['noël', 'noel'],
    ['written', 'wrote', 'writer'],
    ['employees', 'employee', 'staff'],
  ])('%s has the stem of its forms', (word, ...forms) => {
    for (const form of forms) expect(stem(form)).toBe(stem(word));
  });

  it.each([
    ['party', 'part'],
    ['new', 'knew'],
    ['bus', 'but'],
  ])('%s and %s stay apart', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });

  it('has something left of every word', () => {
    for (const word of ['s', 'ed', 'ing', 'ies', 'er', 'aa', 'ʿ', 'straße', '東京']) expect(stem(word)).not.toBe('');
  });
});
