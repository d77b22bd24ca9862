/** Measures the figures that were asked for, one after the other, and prints each beside its target. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { say } from '../parts/report.ts';
import { type Stores, startStores } from '../parts/stores.ts';
import type { Figure, Outcome } from './figure.ts';
import type { Options } from './options.ts';
import { endOpenSites } from './site.ts';
import { linesOf, type Results, written } from './table.ts';

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

/** `measureOlder` prints its own rows. `settings` are for Postgres. */
export async function measureFigures(
  options: Options,
  measureOlder: (stores: Stores) => Promise<void>,
  settings: string[] = [],
): Promise<void> {
  const { figures, older, quick, runs, write } = options;
  const stores = await startStores(settings);
  if (quick) say('the quick form: much is smaller than the titles of the figures say, which therefore say little');
  const results: Results = new Map();
  for (let run = 1; run <= runs; run++)
    for (const figure of figures) {
      say(`\n${figure.bench} ${figure.name}${runs > 1 ? `, run ${run} of ${runs}` : ''}`);
      for (const [n, outcome] of (await tryFigure(figure, stores)).entries()) {
        const title = figure.rows[n]?.title as string;
        results.set(title, [...(results.get(title) ?? []), outcome]);
      }
    }
  if (older) await measureOlder(stores);
  if (figures.length === 0) return;
  say(`\n${linesOf(results).join('\n')}`);
  if (write) writeFileSync(PAGE, written(readFileSync(PAGE, 'utf8'), results));
}

/** One that cannot be measured does not keep the others from it. */
async function tryFigure(figure: Figure, stores: Stores): Promise<Outcome[]> {
  const began = performance.now();
  try {
    const outcomes = await figure.measure(stores);
    say(`  in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    return outcomes;
  } catch (error) {
    process.exitCode = 1;
    await endOpenSites();
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${figure.name}: ${error instanceof Error ? error.stack : error}\n`);
    return figure.rows.map(() => ({ missing: `not measured: ${reason}` }));
  }
}
