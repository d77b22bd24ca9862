/** What those cost who wait for documents or follow a tenant's events, and how soon they know, as ratios measured in one run. */
import { COUNTING } from '../events/statements.ts';
import { measureFigures } from '../figures/main.ts';
import type { Options } from '../figures/options.ts';
import { runBench } from '../parts/ending.ts';

export const run = (options: Options) => runBench(() => measureFigures(options, async () => {}, [COUNTING]));
