/** What the sentences of a text speak of, from one to the next. */
import { LABEL_SHOWN } from '../claim.ts';
import { cut } from '../storable.ts';
import { asSubject, isFigure, type Term } from '../term.ts';
import type { Subject } from './subject.ts';
import { termsOf } from './terms.ts';
import type { Token } from './tokens.ts';

/** What the sentences before have spoken of. */
export interface Scene {
  subject: string[];
  /** The same as the text has it. */
  name: string;
  /** All that was said to name it, as terms: 'the north stand of Farley Park'. */
  lead: Term[];
  /** What of the thing named it is, as 'stand' there; '' where it is the thing itself. */
  head: string;
  /** What tells the record whose text is read from others; '' for other texts. */
  record: string;
  /** Names of the title above, which a sentence that names nothing is about. */
  title: string[];
  /** The date or period of that title, or of the document. */
  time: string;
}

/** The scene of a title, a record or a document, which is nothing but what it names. */
export function namedScene(subject: string[], name: string): Pick<Scene, 'subject' | 'name' | 'lead' | 'head'> {
  return { subject, name, lead: subject.map(asSubject), head: '' };
}

/** What later sentences mean by 'it'. */
export function sceneOf(
  tokens: Token[],
  verb: number,
  { stems }: Subject,
): Pick<Scene, 'subject' | 'name' | 'lead' | 'head'> {
  const before = tokens.slice(0, verb);
  const own = before.slice(before.findLastIndex(({ text }) => text === ',' || text === ':') + 1);
  const phrase = own.some(({ isName }) => isName) ? own : before.filter(({ isName }) => isName);
  const lead = termsOf(phrase, phrase.length, null).filter((term) => !isFigure(term) || isOrdinal(term));
  return { subject: stems, name: nameOf(tokens, verb), lead, head: headOf(phrase, tokens) };
}

const isOrdinal = ({ word }: Term) => word.startsWith('ordinal');

/** The noun that belongs to a name: 'floor' in 'the ground floor of Mercer House', 'owner' in "the Kelso mill's owner"; 'west' in 'the Dover West terminal'. */
function headOf(phrase: Token[], tokens: Token[]): string {
  const at = partAt(phrase);
  const [first, last, noun] = phrase.slice(-3);
  if (at < 0 && first?.isName && last?.isName && noun?.isContent && !noun.isName) return last.stem;
  const isOwned = phrase[at]?.lower === "'s";
  const named = isOwned ? phrase.slice(0, at) : phrase.slice(at);
  const head = isOwned ? phrase.at(-1) : phrase[at - 1];
  if (at < 1 || !head || !named.some(({ isName }) => isName)) return '';
  const isNoun = !head.isName || (!isOwned && at === 1 && phrase[0] === tokens[0]);
  return head.isContent && isNoun && !head.quantity && !MEASURES.has(head.lower) ? head.stem : '';
}

/** Of several the last that has a noun before it: 'of' in 'the warranty on the battery of the Kestrel'. */
function partAt(phrase: Token[]): number {
  const last = phrase.findLastIndex(({ lower }, at) => {
    const noun = PARTS.has(lower) ? phrase[at - 1] : undefined;
    return noun?.isContent && !noun.isName && phrase.slice(at).some(({ isName }) => isName);
  });
  return last >= 0 ? last : phrase.findIndex(({ lower }) => PARTS.has(lower) || lower === "'s");
}

const PARTS = new Set(['of', 'at', 'in', 'for', 'on', 'under']);
/** What these are of, is told by what follows. */
const MEASURES = new Set('number total amount level size value quantity share majority sum rest'.split(' '));

/** The subject as the text has it. */
function nameOf(tokens: Token[], verb: number): string {
  const names = tokens.slice(0, verb).filter(({ isName }) => isName);
  return cut(names.map(({ text }) => text).join(' '), LABEL_SHOWN);
}
