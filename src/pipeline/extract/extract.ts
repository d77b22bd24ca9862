/** Takes the claims from a document that has been read. */
import { type Claim, type ClaimSet, LABEL_SHOWN, MAX_CLAIMS } from '../claim.ts';
import type { Block } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import type { Sentence } from '../segment.ts';
import { cut } from '../storable.ts';
import { isBoilerplate } from './boilerplate.ts';
import { profileOf } from './profile.ts';
import { recordsOf } from './records.ts';
import { claimsOfSentence, type Scene } from './sentence-claims.ts';
import { claimsOfRecord } from './structured.ts';
import { subjectOf } from './subject.ts';
import { type Token, tokenise } from './tokens.ts';

interface Read {
  sentence: Sentence;
  tokens: Token[];
  kind: Block['kind'];
}

/** Fields that hold prose are read as such, too. */
const PROSE_LEAST = 8;

export function extract(reading: Reading, _document: { name: string; type: string }): ClaimSet {
  const sentences = reading.sentences.map((sentence): Read => {
    const kind = reading.blocks[sentence.block]?.kind ?? 'prose';
    return { sentence, tokens: tokenise(sentence.text), kind };
  });
  const prose = sentences.filter(({ kind }) => kind !== 'row' && kind !== 'field');
  const profile = profileOf(prose.map(({ tokens }) => tokens));
  const claims: Claim[] = [];
  for (const record of recordsOf(reading, titlesOf(reading, sentences, profile.subject))) {
    if (claims.length >= MAX_CLAIMS) break;
    claims.push(...claimsOfRecord(reading, record));
  }
  const scene: Scene = { subject: profile.subject, name: '' };
  // What a document says again of the same thing, it says once.
  const said = new Map<string, Set<string>>();
  for (const { sentence, tokens, kind } of sentences) {
    if (claims.length >= MAX_CLAIMS) break;
    if (kind === 'heading') Object.assign(scene, titleOf(sentence, tokens, scene));
    else if (kind !== 'row' && !(kind === 'field' && tokens.length < PROSE_LEAST) && !isBoilerplate(sentence.text)) {
      const of = scene.subject.join(' ');
      const before = said.get(sentence.text);
      if (!before?.has(of)) claims.push(...claimsOfSentence(sentence, tokens, scene));
      if (before) before.add(of);
      else said.set(sentence.text, new Set([of]));
    }
  }
  return { profile, claims: claims.slice(0, MAX_CLAIMS) };
}

/** For each block what the title or heading above it names. */
function titlesOf({ blocks }: Reading, sentences: Read[], subject: string[]): (block: number) => Scene {
  const scenes: Scene[] = [];
  let scene: Scene = { subject, name: '' };
  let at = 0;
  blocks.forEach(({ kind }, index) => {
    while (at < sentences.length && (sentences[at] as Read).sentence.block < index) at++;
    const read = sentences[at];
    if (kind === 'heading' && read?.sentence.block === index) scene = titleOf(read.sentence, read.tokens, scene);
    scenes.push(scene);
  });
  return (block) => scenes[block] ?? scene;
}

/** A single word below a title is a section such as 'Facts', and not another subject. */
function titleOf({ text }: Sentence, tokens: Token[], before: Scene): Scene {
  const { stems, hasName } = subjectOf(tokens, tokens.length);
  if (!hasName || (stems.length === 1 && before.subject.length > 0)) return before;
  return { subject: stems, name: cut(text, LABEL_SHOWN) };
}
