/** Random histories of callers and workers against the real service and the model. */
import fc from 'fast-check';
import { it } from 'vitest';
import { rounds } from '../../support/rounds.ts';
import { startTestService } from '../../support/service.ts';
import { processing } from './histories.ts';
import { play } from './play.ts';

const RUNS = rounds(30, 200);
/** One history at a time in each: a worker takes whatever lane is next, whoever's it is. */
const services = await Promise.all([startTestService(), startTestService()]);

it.concurrent.for(services)(
  `agrees with the model over ${RUNS / services.length} histories of callers and workers`,
  async (service) => {
    const property = fc.asyncProperty(processing, (history) => play(service, history, { drained: true }));
    await fc.assert(property, { numRuns: RUNS / services.length });
  },
);
