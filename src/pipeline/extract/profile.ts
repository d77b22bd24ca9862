/** What a document is about as a whole, by which namesakes are told apart. */
import type { Profile } from '../claim.ts';
import { subjectOf, verbAt } from './subject.ts';
import type { Token } from './tokens.ts';

const MAX_NAMES = 60;
const MAX_DESCRIPTORS = 16;
const TOPIC_SENTENCES = 2;
const MAX_TOPIC = 40;
const MAX_PHRASE = 12;

export function profileOf(sentences: Token[][], issue: string[]): Profile {
  const first = sentences[0] ?? [];
  const verb = verbAt(first);
  const subject = subjectOf(first, verb);
  const subjectStems = subject.hasName ? [...new Set(subject.stems)] : [];
  const names = new Set<string>();
  for (const tokens of sentences) {
    if (names.size >= MAX_NAMES) break;
    for (const { isName, stem } of tokens) if (isName && !subjectStems.includes(stem)) names.add(stem);
  }
  return {
    subject: subjectStems,
    descriptors: descriptorsOf(first, verb),
    names: [...names].slice(0, MAX_NAMES),
    topic: topicOf(sentences),
    phrase: [...new Set(first.slice(0, verb).flatMap(({ isContent, stem }) => (isContent ? [stem] : [])))].slice(
      0,
      MAX_PHRASE,
    ),
    issue,
    sentences: sentences.length,
  };
}

/** What follows 'is a', or stands in brackets after the name. */
function descriptorsOf(tokens: Token[], verb: number): string[] {
  // A year before the verb is part of the name: 'Kestrel Fair 2012'.
  const found = new Set(tokens.slice(0, verb).flatMap(({ kind, stem }) => (kind === 'number' ? [stem] : [])));
  const open = tokens.findIndex(({ text }) => text === '(');
  if (open >= 0 && open < verb)
    for (const token of tokens.slice(open + 1, open + 8)) {
      if (token.text === ')') break;
      if (token.kind !== 'mark') found.add(token.stem);
    }
  if (
    /^(?:is|was|are|were)$/.test(tokens[verb]?.lower ?? '') &&
    /^(?:an?|the|one)$/.test(tokens[verb + 1]?.lower ?? '')
  )
    for (const token of tokens.slice(verb + 1, verb + 14)) {
      if (token.text === '.' || token.text === ';') break;
      if (token.isContent || token.kind === 'number') found.add(token.stem);
    }
  return [...found].slice(0, MAX_DESCRIPTORS);
}

function topicOf(sentences: Token[][]): string[] {
  const words = sentences.slice(0, TOPIC_SENTENCES).flatMap((tokens) => tokens.filter(({ isContent }) => isContent));
  return [...new Set(words.map(({ stem }) => stem))].slice(0, MAX_TOPIC);
}
