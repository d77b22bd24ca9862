/** What a document is about as a whole, by which namesakes are told apart. */
import type { Profile } from '../claim.ts';
import { COPULAS } from '../lexicon/verbs.ts';
import { subjectOf, verbAt } from './subject.ts';
import type { Token } from './tokens.ts';
import { addOnce } from './words.ts';

const MAX_NAMES = 60;
const MAX_YEARS = 16;
/** Words of what it is said to be. */
const DESCRIBED = 14;
const TOPIC_SENTENCES = 2;
const MAX_TOPIC = 40;
const MAX_PHRASE = 12;

export function profileOf(sentences: Token[][], issue: string[]): Profile {
  const first = sentences[0] ?? [];
  const verb = verbAt(first);
  const subject = subjectOf(first, verb);
  const subjectStems = subject.hasName ? [...new Set(subject.stems)] : [];
  const names: string[] = [];
  const topic: string[] = [];
  const phrase: string[] = [];
  for (const tokens of sentences) {
    if (names.length >= MAX_NAMES) break;
    for (const { isName, stem } of tokens) if (isName && !subjectStems.includes(stem)) addOnce(names, stem, MAX_NAMES);
  }
  for (const tokens of sentences.slice(0, TOPIC_SENTENCES))
    for (const { isContent, stem } of tokens) if (isContent) addOnce(topic, stem, MAX_TOPIC);
  for (const { isContent, stem } of first.slice(0, verb)) if (isContent) addOnce(phrase, stem, MAX_PHRASE);
  return {
    subject: subjectStems,
    years: yearsOf(first, verb),
    names,
    topic,
    phrase,
    issue,
    sentences: sentences.length,
  };
}

/** The years of its name, as in 'Kestrel Fair 2012', and of what it is said to be, as in 'is a 1931 film'. */
function yearsOf(tokens: Token[], verb: number): string[] {
  const isDescribed = COPULAS.has(tokens[verb]?.lower ?? '') && ARTICLES.has(tokens[verb + 1]?.lower ?? '');
  const end = Math.min(tokens.length, isDescribed ? verb + DESCRIBED : verb);
  const years: string[] = [];
  for (let at = 0; at < end; at++) {
    const { text, kind } = tokens[at] as Token;
    if (at >= verb && (text === '.' || text === ';')) break;
    if (kind === 'number' && /^\d{4}$/.test(text)) addOnce(years, text, MAX_YEARS);
  }
  return years;
}

const ARTICLES = new Set(['a', 'an', 'the', 'one']);
