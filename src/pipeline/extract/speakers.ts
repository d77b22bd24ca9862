/** Leaves out what belongs to speaking and not to what is said: 'Operator:' above each of her sentences, and 'Good morning.' */
import { wordSet } from '../lexicon/word-set.ts';
import type { Reading } from '../read.ts';
import type { Sentence } from '../segment.ts';

const GREETINGS = wordSet(`
hello hi greetings welcome good morning afternoon evening day dear ladies gentlemen and all everyone everybody thank thanks
you very much`);
/** 'Morning' and 'All day' are of such words, too. */
const GREETING =
  /(?:^| )(?:hello|hi|greetings|welcome|dear|ladies|thanks?|good (?:morning|afternoon|evening|day))(?: |$)/;
const MAX_GREETING = 40;

export function withoutSpeakers({ sentences, blocks }: Reading): Sentence[] {
  const isSpoken = ({ block }: Sentence) => blocks[block]?.kind === 'prose';
  const isLabel = (sentence: Sentence) => {
    if (!sentence.text.endsWith(':') || !isSpoken(sentence)) return false;
    return sentence.start === blocks[sentence.block]?.start && sentence.end === blocks[sentence.block]?.end;
  };
  const times = new Map<string, number>();
  for (const sentence of sentences)
    if (isLabel(sentence)) times.set(sentence.text, (times.get(sentence.text) ?? 0) + 1);
  // One that comes once may be what the list below it is of.
  const isSpeaker = (sentence: Sentence) => isLabel(sentence) && (times.get(sentence.text) ?? 0) > 1;
  return sentences.filter((sentence) => !isSpeaker(sentence) && !(isGreeting(sentence.text) && isSpoken(sentence)));
}

function isGreeting(text: string): boolean {
  if (text.length > MAX_GREETING) return false;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return !/\d/.test(text) && words.every((word) => GREETINGS.has(word)) && GREETING.test(words.join(' '));
}
