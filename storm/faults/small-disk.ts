/** A disk that can be filled: a tmpfs of a size of its own. Only root can mount one. */
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { closeLater } from '../ending.ts';

const PIECE = Buffer.alloc(1024 * 1024, 1);

export class SmallDisk {
  readonly folder: string;
  readonly #filler: string;

  constructor(folder: string, megabytes: number) {
    mkdirSync(folder);
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
    if (status !== 0) throw new Error(`a small disk needs root and a kernel that lets it mount: ${stderr}`);
    // Lazily, since the one whose data is there may not have ended.
    closeLater(() => spawnSync('umount', ['-l', folder]));
    chmodSync(folder, 0o711);
    this.folder = folder;
    this.#filler = join(folder, 'filler');
  }

  /** To the last byte. */
  fill(): void {
    const file = openSync(this.#filler, 'a');
    try {
      for (let piece = PIECE; piece.length > 0; )
        try {
          writeSync(file, piece);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          piece = piece.subarray(0, Math.floor(piece.length / 2));
        }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }
}
