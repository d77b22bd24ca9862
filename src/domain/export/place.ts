/** How far an export has come, and what it began with; as a cursor, from which it can go on at any replica. */
import { hash } from 'node:crypto';
import { type ExportPart, exportParts } from '../../contract/export.ts';
import { invalid } from '../../errors.ts';
import type { ExportedScope } from '../../storage/exported.ts';
import { decodeCursor, encodeCursor } from '../paging.ts';

export type Parts = ReadonlySet<ExportPart>;

/** What the scope was at the start, as far as it tells later whether it has changed. */
export type Start = Pick<ExportedScope, 'revision' | 'next_seq' | 'reported'>;

/** The documents come with their claims, then the facts, then the contradictions. */
export type Place =
  /** All documents below a seq are written, and the claims of those below another one, which is no higher. */
  | { section: 'documents'; documents: number; claims: number }
  /** All groups up to this one. */
  | { section: 'facts'; group: number }
  /** Contradictions up to this ordinal; and the last one that there was when they were begun: new ones may come without an end. */
  | { section: 'contradictions'; after: string; upTo: string };

export const BEGINNING: Place = { section: 'documents', documents: 0, claims: 0 };

export interface ExportCursor {
  parts: Parts;
  start: Start;
  place: Place;
}

/** Each part is a bit, and the sections have a letter each. */
const SHAPE = /^[0-9a-f]{16} (?:[1-9]|[12]\d|3[01]) \d{1,15} \d{1,15} \d{1,15} [dfc] \d{1,18} \d{1,18}$/;

/** Of this scope and no other, not even of one that took its name or of what it held before it was reset. */
export const tagOf = ({ scope_key, generation }: ExportedScope) =>
  hash('sha256', `export ${scope_key} ${generation}`).slice(0, 16);

export function encodePlace(scope: ExportedScope, { parts, start, place }: ExportCursor): string {
  const bits = exportParts.reduce((sum, part, nth) => sum + (parts.has(part) ? 2 ** nth : 0), 0);
  const begun = [bits, start.revision, start.next_seq, start.reported];
  return encodeCursor('export', [tagOf(scope), ...begun, ...fieldsOf(place)].join(' '));
}

function fieldsOf(place: Place): (string | number)[] {
  if (place.section === 'documents') return ['d', place.documents, place.claims];
  // Before the first group is -1.
  if (place.section === 'facts') return ['f', place.group + 1, 0];
  return ['c', place.after, place.upTo];
}

/** Null where none was sent. The tag is of its scope, which is not known yet. */
export function decodePlace(cursor: string | undefined): (ExportCursor & { tag: string }) | null {
  if (cursor === undefined) return null;
  const fields = decodeCursor('export', cursor, SHAPE, '').split(' ');
  const [tag, bits, revision, next_seq, reported, section, a, b] = fields as [string, ...string[]];
  const parts = new Set(exportParts.filter((_part, nth) => Number(bits) & (2 ** nth)));
  const start = { revision: Number(revision), next_seq: Number(next_seq), reported: Number(reported) };
  return { tag, parts, start, place: placeOf(section as string, a as string, b as string) };
}

function placeOf(section: string, a: string, b: string): Place {
  if (section === 'd') return { section: 'documents', documents: Number(a), claims: Number(b) };
  if (section === 'f') return { section: 'facts', group: Number(a) - 1 };
  return { section: 'contradictions', after: a, upTo: b };
}

/** All of them for who does not say. Texts are shown with their documents. */
export function readParts(include: string | undefined): Parts {
  if (include === undefined) return new Set(exportParts);
  const names = include.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !exportParts.includes(name as ExportPart));
  if (unknown !== undefined)
    throw invalid('query/include', `must name some of ${exportParts.join(', ')}; there is no '${unknown}'`);
  return new Set(names.includes('texts') ? ['documents', ...names] : names) as Parts;
}
