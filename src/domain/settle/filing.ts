/**
 * Which readings of a scope are filed: those that came first, once more are in memory than one scope may take. Whoever reads facts looks
 * through all that are not filed, so that these stay few; their keys are looked up by who works on the scope alone, and are filed once
 * it would take much memory to keep them. Pure.
 */
import type { Reading, ScopeHead } from '../../storage/readings.ts';
import { type ScopeIndex, sizeOf } from './scope-index.ts';

/** So many keys at a time, or as many as came with the batch: the scope is locked while they are written. */
const PIECE = 8000;
/** Or this part of what is too much: so that a scope that has far too much in memory is rid of it soon. */
const PART = 1 / 8;
/** Of what may stay in memory, in readings that are not filed; and no more keys than this. */
const UNFILED_PART = 1 / 10;
const MOST_UNFILED = 40_000;

export type FiledUpTo = Pick<ScopeHead, 'filed_up_to' | 'keys_filed_up_to'>;

export interface Filing extends FiledUpTo {
  /** Whatever comes at or below `filed_up_to` is filed at once, and so it is with keys. */
  file: number[];
  file_keys: number[];
}

/** What a batch adds to a scope, and takes from it. */
interface Change {
  added: Reading[];
  leaving: Reading[];
}

/** `mostKeys` may stay in memory. */
export function planFiling(index: ScopeIndex, head: FiledUpTo, change: Change, mostKeys: number): Filing {
  const said = pieceOf(
    index,
    index.unfiledSize,
    head.filed_up_to,
    change,
    Math.min(mostKeys * UNFILED_PART, MOST_UNFILED),
  );
  const keys = pieceOf(index, index.size, head.keys_filed_up_to, change, mostKeys, said.upTo);
  return { file: said.file, filed_up_to: said.upTo, file_keys: keys.file, keys_filed_up_to: keys.upTo };
}

/** What comes late, and the oldest of those above `upTo` that take `size` together, up to `limit` at most. */
function pieceOf(
  index: ScopeIndex,
  size: number,
  upTo: number,
  { added, leaving }: Change,
  most: number,
  limit = Infinity,
): { file: number[]; upTo: number } {
  const late = added.filter(({ seq }) => seq <= upTo).map(({ seq }) => seq);
  const fresh = added.filter(({ seq }) => seq > upTo);
  const addedSize = fresh.reduce((sum, reading) => sum + sizeOf(reading), 0);
  const excess = size + addedSize - most;
  if (excess <= 0) return { file: late, upTo };
  const gone = new Set(leaving.map(({ seq }) => seq));
  const known = index.readings().filter(({ seq }) => seq > upTo && !gone.has(seq));
  let room = Math.max(PIECE, addedSize, excess * PART);
  const piece: number[] = [];
  for (const reading of [...known, ...fresh].sort((a, b) => a.seq - b.seq)) {
    if (room <= 0 || reading.seq > limit) break;
    room -= sizeOf(reading);
    piece.push(reading.seq);
  }
  return { file: [...late, ...piece], upTo: piece.at(-1) ?? upTo };
}
