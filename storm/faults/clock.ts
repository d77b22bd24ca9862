/** A clock that jumps, for processes that are started under it: Debian's libfaketime, told by a file. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class Clock {
  readonly #file: string;
  readonly #library: string;

  constructor(folder: string) {
    this.#library = findLibrary();
    this.#file = join(folder, 'clock');
    this.jumpTo(0);
  }

  /** By so many seconds from the true time. Processes look at the file once a second. */
  jumpTo(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`, { mode: 0o644 });
  }

  get env(): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      // A step of the clock does not move the monotonic one, by which timers run.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }
}

function findLibrary(): string {
  for (const folder of existsSync('/usr/lib') ? readdirSync('/usr/lib') : []) {
    const library = join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1');
    if (existsSync(library)) return library;
  }
  throw new Error('libfaketime is not there: apt-get install faketime');
}
