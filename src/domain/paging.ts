/**
 * Lists are read page by page: the cursor is the place where the next page goes on, opaque to the caller. It begins with the name of
 * its list, so that a cursor of another list is refused, and not taken for a place in this one.
 */
import { invalid } from '../errors.ts';
import type { Listed } from '../storage/pages.ts';

export interface Page {
  cursor?: string;
  limit: number;
}

export function encodeCursor(list: string, place: string): string {
  return Buffer.from(`${list} ${place}`).toString('base64url');
}

export function decodeCursor(list: string, cursor: string | undefined, shape: RegExp, start: string): string {
  if (cursor === undefined) return start;
  const text = Buffer.from(cursor, 'base64url').toString();
  const place = text.slice(list.length + 1);
  if (!text.startsWith(`${list} `) || !shape.test(place))
    throw invalid('query/cursor', 'must be a next_cursor of this list');
  return place;
}

/**
 * For rows read with one more than the limit: that one only tells that there is another page. Where rows may be large there are
 * fewer, and the last one tells it.
 */
export function toPage<Row>(
  list: string,
  rows: (Row & Partial<Listed>)[],
  limit: number,
  placeOf: (row: Row) => string,
) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next_cursor: last && (last.goes_on ?? rows.length > limit) ? encodeCursor(list, placeOf(last)) : null,
  };
}
