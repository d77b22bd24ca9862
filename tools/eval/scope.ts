/**
 * Takes documents as one scope and finds its contradictions, with the code and the bounds of the service and without its
 * database: all documents are one batch, since the order of arrival changes nothing.
 */
import { ContradictionsChange } from '../../src/domain/settle/contradictions.ts';
import { changeCandidates } from '../../src/pipeline/candidates.ts';
import { toConflict } from '../../src/runtime/comparisons.ts';
import { inOneGo } from '../../src/runtime/in-pieces.ts';
import { hashOf } from '../../src/runtime/lane-candidates.ts';
import { pipeline } from '../../src/runtime/pipeline.ts';
import type { NewConflict } from '../../src/storage/detected.ts';
import { type Document, readSource, type Source } from './read.ts';

export type Detection = NewConflict;

export interface Judged {
  /** By place, which is what `seq_a` and `seq_b` of a detection say. */
  documents: Document[];
  detections: Detection[];
  /** Pairs of documents. */
  compared: number;
}

/** Names are ids: which documents of a key are compared depends on them. */
export function judgeScope(sources: Source[], report: (line: string) => void = () => {}): Judged {
  const documents = sources.map((source, place) => {
    if (place > 0 && place % 100 === 0) report(`${place} of ${sources.length} documents read`);
    return readSource(source);
  });
  const readings = documents.map(({ source, reading }, seq) => ({
    ...{ seq, document_id: source.name, document_hash: hashOf(source.name) },
    ...reading,
  }));
  const { joined } = inOneGo(changeCandidates(() => [], { arrivals: readings, leaving: [] }));
  const conflicts = new Map<string, NewConflict>();
  for (const [place, [a, b]] of joined.entries()) {
    if (place > 0 && place % 10_000 === 0) report(`${place} of ${joined.length} pairs compared`);
    const [own, other] = [readings[a], readings[b]] as [(typeof readings)[0], (typeof readings)[0]];
    for (const found of pipeline.compare((documents[a] as Document).side, [(documents[b] as Document).side])) {
      const conflict = toConflict(own, other, found);
      conflicts.set(conflict.pair, conflict);
    }
  }
  return { documents, detections: shownOf([...conflicts.values()]), compared: joined.length };
}

function shownOf(conflicts: NewConflict[]): NewConflict[] {
  const change = new ContradictionsChange(conflicts, [], []);
  change.placeInDocuments([]);
  return change.placeInFacts([]).added.filter(({ status }) => status === 'open');
}
