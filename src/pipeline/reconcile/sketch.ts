/**
 * What a document is about, as numbers that are kept beside it: most of the short ones that meet are about different subjects, which
 * these tell without what is claimed.
 */
import { hashWord } from '../extract/hash.ts';

/** The words of each subject of its claims, each time followed by END, and then all words that it speaks of. */
export type Sketch = readonly number[];

const END = 0;

export const sketchOf = (subjects: string[][], reach: Iterable<string>): Sketch => [
  ...subjects.flatMap((subject) => [...subject.map(numberOf), END]),
  ...new Set(Array.from(reach, numberOf)),
];

/** Of 15 bits. Two words of one number are taken for one word: then nothing is told, of one pair in some hundreds. */
const numberOf = (word: string) => hashWord(word) & 0x7fff || 1;

/** Whether each claim of the one has another subject than each of the other. It may be so of some where this says no. */
export function areApart(one: Sketch, other: Sketch): boolean {
  const [end, otherEnd] = [one.lastIndexOf(END) + 1, other.lastIndexOf(END) + 1];
  return areAllOther(one, end, other, otherEnd) && areAllOther(other, otherEnd, one, end);
}

/** Whether each subject has a word that the other does not speak of. `end`: where the subjects end. */
function areAllOther(one: Sketch, end: number, other: Sketch, otherEnd: number): boolean {
  let isOther = false;
  for (let at = 0; at < end; at++) {
    const word = one[at] as number;
    if (word !== END) isOther ||= other.indexOf(word, otherEnd) < 0;
    else if (!isOther) return false;
    else isOther = false;
  }
  return true;
}
