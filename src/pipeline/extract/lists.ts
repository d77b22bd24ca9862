/** Finds lists that say what belongs to something and what does not: the members of a committee, the contents of a box. */
import { findField } from '../fields.ts';
import type { Block } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { BETWEEN_HEADINGS, type Title } from './titles.ts';

/** Lists that say of themselves that they are all: neither 'Tasks complete' nor 'Not yet complete'. */
export const COMPLETE =
  /\((?:complete|full)(?: (?:list|contents))?\)|(?<!\bnot (?:a |the )?)\b(?:complete|full) (?:list|set)\b/i;
/** Of such a list one expects all, and not of 'New members', 'Members present', 'Some of our partners', or the contents of a text. */
const CLOSED =
  /^(?:the )?(?:(?:members|signatories|shareholders|directors|partners|trustees|components|ingredients|sponsors)(?::?$| (?=of\b))|contents (?=of\b))/i;
const SAYS_OF_WHAT = /\bof\b/i;
/** 'Members (complete list)' has as many, and says of nothing that it is theirs. */
const MAX_BARE = 3;
const MIN_ITEMS = 2;
const MAX_ITEMS = 30;
/** An item of more words says something, and so does one of more characters. */
const MAX_WORDS = 6;
const MAX_ITEM = 80;

/** Whether these items stand below headings that say of what they are all, and are nothing but names of things. */
export function isClosedList({ text }: Reading, items: Block[], { identity, stems, last }: Title): boolean {
  return (
    items.length >= MIN_ITEMS &&
    items.length <= MAX_ITEMS &&
    (CLOSED.test(last) || COMPLETE.test(last)) &&
    (SAYS_OF_WHAT.test(last) || stems.length > MAX_BARE || identity.includes(BETWEEN_HEADINGS)) &&
    items.every(({ start, end }) => isThing(text.slice(start, end)))
  );
}

const isThing = (item: string) =>
  item.length <= MAX_ITEM &&
  item.split(/\s+/, MAX_WORDS + 1).length <= MAX_WORDS &&
  !/[;,\n]|[.!?]$/.test(item) &&
  !findField(item, 0, item.length);
