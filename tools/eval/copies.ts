/** Counts the documents that contradict a copy of themselves, of which there must be none. */
import { pipeline } from '../../src/runtime/pipeline.ts';
import type { Document } from './read.ts';
import type { Target } from './tally.ts';

/** The copy is made of what is kept, as in the service. */
export function copiesTarget(documents: Document[]): Target {
  const apart = documents.filter(({ side, reading }) => {
    const copy = pipeline.decode(reading.claims);
    return pipeline.compare(side, [copy, side]).length > 0;
  });
  return { name: 'documents that contradict their copies', value: apart.length, most: 0 };
}
