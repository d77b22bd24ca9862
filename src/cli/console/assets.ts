/** The files of the page: those in `console/`, and uPlot as npm has brought it. What is not in this list is not served. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface Asset {
  type: string;
  bytes: Buffer;
}

export class Assets {
  /** Where each path is on the disk. No path is made of what a request says. */
  readonly #files = new Map<string, string>();

  constructor() {
    const folder = fileURLToPath(new URL('../../../console/', import.meta.url));
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (extname(name) in types) this.#files.set(`/${name}`, join(folder, name));
    const uplot = dirname(createRequire(import.meta.url).resolve('uplot/package.json'));
    this.#files.set('/vendor/uplot.js', join(uplot, 'dist/uPlot.esm.js'));
    this.#files.set('/vendor/uplot.css', join(uplot, 'dist/uPlot.min.css'));
  }

  /** Read anew each time: whoever changes the page only has to reload it. */
  async find(path: string): Promise<Asset | null> {
    const file = this.#files.get(path === '/' ? '/index.html' : path);
    if (file === undefined) return null;
    return { type: types[extname(file)] as string, bytes: await readFile(file) };
  }
}
