/** Lists are read page by page: the cursor is the place where the next page goes on, opaque to the caller. */
import { invalid } from '../errors.ts';
import type { Listed } from '../storage/pages.ts';

export interface Page {
  cursor?: string;
  limit: number;
}

export function encodeCursor(place: string): string {
  return Buffer.from(place).toString('base64url');
}

export function decodeCursor(cursor: string | undefined, shape: RegExp, start: string): string {
  if (cursor === undefined) return start;
  const place = Buffer.from(cursor, 'base64url').toString();
  if (!shape.test(place)) throw invalid('query/cursor', 'must be a next_cursor of this list');
  return place;
}

/**
 * For rows read with one more than the limit: that one only tells that there is another page. Where rows may be large there are
 * fewer, and the last one tells it.
 */
export function toPage<Row>(rows: (Row & Partial<Listed>)[], limit: number, placeOf: (row: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: last && (last.goes_on ?? rows.length > limit) ? encodeCursor(placeOf(last)) : null };
}
