/** How fast claims, facts and lists are read, and what it costs to keep them readable, as ratios measured side by side in one run. */
import { measureFigures } from '../figures/main.ts';
import type { Options } from '../figures/options.ts';
import { runBench } from '../parts/ending.ts';

export const run = (options: Options) => runBench(() => measureFigures(options, async () => {}));
