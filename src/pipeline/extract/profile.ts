/** What a document is about as a whole, by which namesakes are told apart. */
import type { Profile } from '../claim.ts';
import { subjectOf, verbAt } from './subject.ts';
import type { Token } from './tokens.ts';

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
  const names = new Set<string>();
  for (const tokens of sentences) {
    if (names.size >= MAX_NAMES) break;
    for (const { isName, stem } of tokens) if (isName && !subjectStems.includes(stem)) names.add(stem);
  }
  return {
    subject: subjectStems,
    years: yearsOf(first, verb),
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

/** The years of its name, as in 'Kestrel Fair 2012', and of what it is said to be, as in 'is a 1931 film'. */
function yearsOf(tokens: Token[], verb: number): string[] {
  const said = `${tokens[verb]?.lower} ${tokens[verb + 1]?.lower}`;
  const after = /^(?:is|was|are|were) (?:an?|the|one)$/.test(said) ? tokens.slice(verb, verb + DESCRIBED) : [];
  const end = after.findIndex(({ text }) => text === '.' || text === ';');
  const described = [...tokens.slice(0, verb), ...after.slice(0, end < 0 ? DESCRIBED : end)];
  return [...new Set(described.flatMap(({ text }) => (/^\d{4}$/.test(text) ? [text] : [])))].slice(0, MAX_YEARS);
}

function topicOf(sentences: Token[][]): string[] {
  const words = sentences.slice(0, TOPIC_SENTENCES).flatMap((tokens) => tokens.filter(({ isContent }) => isContent));
  return [...new Set(words.map(({ stem }) => stem))].slice(0, MAX_TOPIC);
}
