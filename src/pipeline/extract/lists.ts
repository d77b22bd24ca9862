/** Finds lists that say what belongs to something and what does not: the members of a committee, the contents of a box. */
import { findField } from '../fields.ts';
import type { Block } from '../plain-text.ts';
import type { Reading } from '../read.ts';

/** Of such a list one expects all. */
const CLOSED =
  /\b(?:complete|full list|members|signatories|shareholders|directors|partners|trustees|contents|components|ingredients|sponsors)\b/i;
const MIN_ITEMS = 2;
const MAX_ITEMS = 30;
/** An item of more words says something, and so does one of more characters. */
const MAX_WORDS = 6;
const MAX_ITEM = 80;

/** Whether these items stand under a heading that says of what they are all, and are nothing but names of things. */
export function isClosedList({ text }: Reading, items: Block[], heading: string): boolean {
  return (
    items.length >= MIN_ITEMS &&
    items.length <= MAX_ITEMS &&
    CLOSED.test(heading) &&
    items.every(({ start, end }) => isThing(text.slice(start, end)))
  );
}

const isThing = (item: string) =>
  item.length <= MAX_ITEM &&
  item.split(/\s+/, MAX_WORDS + 1).length <= MAX_WORDS &&
  !/[;,\n]|[.!?]$/.test(item) &&
  !findField(item, 0, item.length);
