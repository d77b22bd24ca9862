/** Which readings of a scope are filed: those that came first, once more are in memory than one scope may take. Pure. */
import type { Reading } from '../../storage/readings.ts';
import { type ScopeIndex, sizeOf } from './scope-index.ts';

/** So many keys at a time, or as many as came with the batch: the scope is locked while they are written. */
const PIECE = 8000;

export interface Filing {
  file: number[];
  /** Whatever comes at or below this is filed at once. */
  filed_up_to: number;
}

/** What a batch adds to a scope, and takes from it. */
interface Change {
  added: Reading[];
  leaving: Reading[];
}

/** `mostKeys` may stay in memory. */
export function planFiling(index: ScopeIndex, filedUpTo: number, { added, leaving }: Change, mostKeys: number): Filing {
  const late = added.filter(({ seq }) => seq <= filedUpTo).map(({ seq }) => seq);
  const fresh = added.filter(({ seq }) => seq > filedUpTo);
  const addedSize = fresh.reduce((sum, reading) => sum + sizeOf(reading), 0);
  if (index.size + addedSize <= mostKeys) return { file: late, filed_up_to: filedUpTo };
  const gone = new Set(leaving.map(({ seq }) => seq));
  const inOrder = [...index.readings().filter(({ seq }) => !gone.has(seq)), ...fresh].sort((a, b) => a.seq - b.seq);
  let room = Math.max(PIECE, addedSize);
  const piece: number[] = [];
  for (const reading of inOrder) {
    if (room <= 0) break;
    room -= sizeOf(reading);
    piece.push(reading.seq);
  }
  return { file: [...late, ...piece], filed_up_to: piece.at(-1) ?? filedUpTo };
}
