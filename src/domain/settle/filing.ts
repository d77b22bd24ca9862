/**
 * Which readings of a scope are filed: those that came first, once more are in memory than one scope may take. Whoever reads facts looks
 * through all that are not filed, so that these stay few; their keys are looked up by who works on the scope alone, and are filed once
 * it would take much memory to keep them. Pure.
 */
import type { Reading, ScopeHead } from '../../storage/readings.ts';
import { type ScopeIndex, sizeOf } from './scope-index.ts';

/** So many keys at a time, or twice as many as came with the batch: the scope is locked while they are written. */
const PIECE = 8000;
/** Where that is more than is too much: what is, and this part of what may stay, so that the next document does not make it too much again. */
const MARGIN = 1 / 4;
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

/** What the lanes of a turn file together: all of their scopes are locked until it is written. */
export class FilingRoom {
  #left: number;

  /** Twice of what they add, so that what is too much gets less whatever comes. */
  constructor(added: Reading[]) {
    this.#left = Math.max(2 * PIECE, 2 * sizeOfAll(added));
  }

  get left(): number {
    return this.#left;
  }

  take(keys: number): void {
    this.#left -= keys;
  }
}

/** `unfiledKeys` may stay in memory, of any scope. */
export function planFiling(
  index: ScopeIndex,
  head: FiledUpTo,
  change: Change,
  unfiledKeys: number,
  room: FilingRoom,
): Filing {
  const mostUnfiled = Math.min(unfiledKeys * UNFILED_PART, MOST_UNFILED, index.mostKeys);
  const said = pieceOf(index, index.unfiledSize, head.filed_up_to, change, mostUnfiled, room.left);
  const mostKeys = Math.min(unfiledKeys, index.mostKeys);
  const keys = pieceOf(index, index.size, head.keys_filed_up_to, change, mostKeys, room.left, said.upTo);
  room.take(Math.max(said.size, keys.size));
  return { file: said.file, filed_up_to: said.upTo, file_keys: keys.file, keys_filed_up_to: keys.upTo };
}

/** What comes late, and the oldest of those above `upTo`: as many as are too much and have room, up to `limit`. `size` is in memory. */
function pieceOf(
  index: ScopeIndex,
  size: number,
  upTo: number,
  { added, leaving }: Change,
  most: number,
  roomLeft: number,
  limit = Infinity,
): { file: number[]; upTo: number; size: number } {
  const late = added.filter(({ seq }) => seq <= upTo);
  const file = late.map(({ seq }) => seq);
  const fresh = added.filter(({ seq }) => seq > upTo);
  const addedSize = sizeOfAll(fresh);
  const excess = size + addedSize - most;
  if (excess <= 0 || roomLeft <= 0) return { file, upTo, size: sizeOfAll(late) };
  const gone = new Set(leaving.map(({ seq }) => seq));
  const known = index.readings().filter(({ seq }) => seq > upTo && !gone.has(seq));
  const wanted = Math.min(excess + most * MARGIN, Math.max(PIECE, 2 * addedSize));
  let taken = 0;
  let last = upTo;
  for (const reading of [...known, ...fresh].sort((a, b) => a.seq - b.seq)) {
    if (taken >= Math.min(wanted, roomLeft) || reading.seq > limit) break;
    taken += sizeOf(reading);
    last = reading.seq;
    file.push(last);
  }
  return { file, upTo: last, size: taken + sizeOfAll(late) };
}

const sizeOfAll = (readings: Reading[]) => readings.reduce((sum, reading) => sum + sizeOf(reading), 0);
