/** Takes the claims from a document that has been read. */
import { type Claim, type ClaimSet, LABEL_SHOWN, MAX_CLAIMS, RULES } from '../claim.ts';
import { AUXILIARY, FINITE } from '../lexicon/verbs.ts';
import { anyOf, isOf } from '../lexicon/word-class.ts';
import type { Block } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import type { Sentence } from '../segment.ts';
import { cut } from '../storable.ts';
import { isBoilerplate } from './boilerplate.ts';
import { isEdition } from './editions.ts';
import { Headings } from './headings.ts';
import { profileOf } from './profile.ts';
import { recordsOf } from './records.ts';
import { namedScene, type Scene } from './scene.ts';
import { claimsOfSentence } from './sentence-claims.ts';
import { withoutSpeakers } from './speakers.ts';
import { claimsOfRecord, type Record } from './structured.ts';
import { verbAt } from './subject.ts';
import { issueOf, titlesOf } from './titles.ts';
import { type Token, tokenise } from './tokens.ts';
import { toldIssue } from './told-issue.ts';
import { unname } from './unname.ts';

interface Read {
  sentence: Sentence;
  tokens: Token[];
  kind: Block['kind'];
}

/** A field with fewer words is no text. */
const PROSE_LEAST = 8;

export function extract(reading: Reading): ClaimSet {
  const sentences = withoutSpeakers(reading).map((sentence): Read => {
    const kind = reading.blocks[sentence.block]?.kind ?? 'prose';
    return { sentence, tokens: tokenise(sentence.text), kind };
  });
  unname(sentences);
  const prose = sentences.filter(({ kind }) => kind !== 'row' && kind !== 'field');
  const told = toldIssue(prose);
  const opening = openingOf(prose[0]);
  const titled = issueOf(reading, '');
  const issue = opening === '' ? titled : issueOf(reading, opening);
  const profile = profileOf(
    prose.map(({ tokens }) => tokens),
    // A title that says which issue it is needs no sentence to say so again.
    titled.terms.every(isEdition) ? [...issue.terms, ...told] : issue.terms,
  );
  const headings = new Map<number, Token[]>();
  // A long heading is several sentences, of which the first tells most.
  for (const { kind, sentence, tokens } of sentences)
    if (kind === 'heading' && !headings.has(sentence.block)) headings.set(sentence.block, tokens);
  const titleAt = titlesOf(reading, (block) => headings.get(block));
  const timeAt = (block: number) => titleAt(block).time || issue.time;
  const records = recordsOf(reading, titleAt, timeAt);
  const claims: Claim[] = [];
  for (const record of records.values()) {
    if (claims.length >= MAX_CLAIMS) break;
    claims.push(...claimsOfRecord(reading, record));
  }
  const headed = new Headings(namesIn(sentences));
  const scene: Scene = { ...namedScene(profile.subject, ''), record: '', title: [], time: '' };
  // What a document says again of the same thing, it says once.
  const said = new Map<string, Set<string>>();
  for (const { sentence, tokens, kind } of sentences) {
    if (claims.length >= MAX_CLAIMS) break;
    if (kind === 'heading') {
      const { level = 1 } = reading.blocks[sentence.block] ?? {};
      Object.assign(scene, headed.enter(level, sentence.text, tokens, scene, profile.subject));
    } else if (kind !== 'row' && !isBoilerplate(sentence.text)) {
      const record = kind === 'field' ? records.get(sentence.block) : undefined;
      if (kind === 'field' && !isText(sentence, tokens)) continue;
      scene.time = timeAt(sentence.block);
      scene.record = nobodysText(reading.blocks[sentence.block]);
      const where: Scene = record
        ? { ...namedScene(record.subject, record.name), record: textOf(record), title: [], time: record.time }
        : scene;
      const of = record ? where.record : `${scene.record} ${scene.subject.join(' ')}`;
      const before = said.get(sentence.text);
      if (!before?.has(of)) claims.push(...claimsOfSentence(sentence, tokens, where));
      if (before) before.add(of);
      else said.set(sentence.text, new Set([of]));
    }
  }
  return { rules: RULES, profile, claims: claims.slice(0, MAX_CLAIMS) };
}

/** A few words without a verb that stand before all else say what the text is. */
const MAX_OPENING = 10;
const VERB = anyOf(AUXILIARY, FINITE);

function openingOf(first: Read | undefined): string {
  if (first?.kind !== 'prose' || first.tokens.length > MAX_OPENING) return '';
  const isSaid = first.tokens.some((token) => isOf(token, VERB) || /[^e]ed$/.test(token.lower));
  return isSaid ? '' : first.sentence.text;
}

/** A long value is a text only with a verb and a full stop. */
function isText({ text }: Sentence, tokens: Token[]): boolean {
  return tokens.length >= PROSE_LEAST && /[.!]["'”’)\]]?$/.test(text) && verbAt(tokens) < tokens.length;
}

/** The text of one field is not that of another. */
const textOf = ({ identity, prefix, block, cells }: Pick<Record, 'identity' | 'prefix' | 'block' | 'cells'>) =>
  `${identity} / ${[...prefix, cut((cells[0] ?? block.cells[0])?.label ?? '', LABEL_SHOWN)].join(' ')}`;

/** A text of JSON that nothing names is not that of what has a name; '' for texts that are no fields of JSON. */
const nobodysText = ({ within, cells }: Block = NO_BLOCK) =>
  within === undefined
    ? ''
    : ` / ${[within.replace(/\[\d+\]/g, ''), cut(cells[0]?.label ?? '', LABEL_SHOWN)].join(' ').trim()}`;

const NO_BLOCK: Block = { kind: 'prose', start: 0, end: 0, cells: [] };

/** Stems of the names in running text. */
function namesIn(sentences: Read[]): Set<string> {
  const names = new Set<string>();
  for (const { kind, tokens } of sentences)
    if (kind !== 'heading') for (const { isName, stem } of tokens) if (isName) names.add(stem);
  return names;
}
