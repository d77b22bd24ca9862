/** Finds the sentences of a text or of Markdown that state a value, with the headings above them. */
import type { Chance } from '../../../storm/chance.ts';
import type { Source } from '../read.ts';
import { changeIn } from './change.ts';
import { copyOf, type Form, type Range, type Statement } from './statement.ts';

interface Sentence {
  text: string;
  start: number;
  headings: string[];
  /** The sentence before it in its paragraph, which may say what it is about. */
  lead: string;
}

export function statementsOfProse(source: Source, chance: Chance): Statement[] {
  return sentencesOf(source).flatMap((sentence) => {
    if (!isPlain(sentence.text)) return [];
    const change = changeIn(sentence.text, chance);
    if (!change || change.from === change.to || isSaidTwice(source, sentence, change.start)) return [];
    const { kind, from, to } = change;
    const start = sentence.start + change.start;
    const said: Range = [start, start + from.length];
    return [{ kind, source, said, from, to, forms: [copyOf(source, said, to), extractOf(source, sentence, said, to)] }];
  });
}

/** A copy that still has the value elsewhere would say both. */
function isSaidTwice({ text }: Source, sentence: Sentence, start: number): boolean {
  const words = /^\S+\s+\S+/.exec(sentence.text.slice(start))?.[0] ?? sentence.text.slice(start);
  return text.split(words).length > 2;
}

/** A sentence that says something by itself: with a verb, about something that has a name, and no link or code. */
function isPlain(text: string): boolean {
  const words = text.split(/\s+/).length;
  return (
    words >= 6 &&
    words <= 35 &&
    /^[*_"]*[A-Z@0-9]/.test(text) &&
    /[.!]["*_)]*$/.test(text) &&
    !/https?:|\]\(|\]\[|[`{}|<>\\]/.test(text) &&
    !/^[*_]*(?:it|its|this|that|these|those|they|their|he|his|she|her|there|here|then|also|so|and|but|or)\b/i.test(
      text,
    ) &&
    /\b(?:is|are|was|were|has|have|had|will|must|can|may|costs?|takes?|receives?|requires?|needs?|offers?|begins?|starts?|ends?|runs?|gets?|gives?|works?|joined|left|opened|closed|approved|rejected)\b/.test(
      text,
    )
  );
}

/** The headings and the sentence with the one before it, as a note on it would have them. */
function extractOf({ type }: Source, { text, start, headings, lead }: Sentence, said: Range, to: string): Form {
  const titles = headings.map((heading, depth) => (type === 'md' ? `${'#'.repeat(depth + 1)} ${heading}` : heading));
  const before = titles.map((title) => `${title}\n\n`).join('') + (lead && `${lead}\n`);
  const [from, end] = [said[0] - start, said[1] - start];
  const changed = text.slice(0, from) + to + text.slice(end);
  return {
    name: 'extract',
    text: `${before}${changed}\n`,
    said: [before.length + from, before.length + from + to.length],
  };
}

/** With what is no prose blanked out, so that places stay as they are. */
function sentencesOf({ type, text }: Source): Sentence[] {
  const title = /^---\n[\s\S]*?^title:\s*["']?(.+?)["']?\s*$[\s\S]*?^---$/m.exec(text)?.[1];
  const blank = (found: string) => found.replace(/[^\n]/g, ' ');
  const plain =
    type === 'md' ? text.replace(/^---\n[\s\S]*?\n---\n/, blank).replace(/^```[\s\S]*?^```/gm, blank) : text;
  const sentences: Sentence[] = [];
  let headings: string[] = title ? [title] : [];
  let at = 0;
  for (const block of plain.split(/(\n\s*\n|\n(?=[ \t]*(?:[*+-]|\d+[.)])[ \t])|\n(?=#))/)) {
    const heading = type === 'md' ? /^\s*(#{1,6})\s+(.+?)\s*#*$/m.exec(block) : null;
    if (heading)
      headings = [
        ...headings.slice(0, title ? heading[1]?.length : (heading[1]?.length ?? 1) - 1),
        heading[2] as string,
      ];
    else if (!/\b(?:for example|e\.g\.|for instance|scenario)/i.test(block))
      sentences.push(...cut(block, at).map((one) => ({ ...one, headings })));
    at += block.length;
  }
  return sentences;
}

function cut(block: string, at: number): Omit<Sentence, 'headings'>[] {
  const from = /^\s*(?:(?:[*+-]|\d+[.)])\s+)?/.exec(block)?.[0].length ?? 0;
  const found: Omit<Sentence, 'headings'>[] = [];
  let start = from;
  for (const end of [...block.matchAll(/[.!?]["*_)]*\s+(?=["*_(]*[A-Z@])/g), undefined]) {
    const to = end ? end.index + end[0].length : block.length;
    const text = block.slice(start, to).trimEnd();
    if (text) found.push({ text, start: at + start, lead: found.at(-1)?.text ?? '' });
    start = to;
  }
  return found;
}
