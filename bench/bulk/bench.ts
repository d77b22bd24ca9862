/** How fast documents come in and go out by the thousand, and what others notice of it, as ratios measured side by side in one run. */
import { measureFigures } from '../figures/main.ts';
import type { Options } from '../figures/options.ts';
import { runBench } from '../parts/ending.ts';

export const run = (options: Options) => runBench(() => measureFigures(options, async () => {}));
