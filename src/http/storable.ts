/** Text that Postgres could not keep: NUL, and half a surrogate pair. */
import { type AppError, invalid } from '../errors.ts';

export const NOT_STORABLE = 'must not contain U+0000 or half of a surrogate pair';

export function unstorable(path: string): AppError {
  return invalid(path, NOT_STORABLE);
}

/** Where it is in a value of a known shape. */
export function findUnstorable(value: unknown, path = 'body'): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const found = findUnstorable(member, `${path}/${name}`);
    if (found) return found;
  }
  return null;
}

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
