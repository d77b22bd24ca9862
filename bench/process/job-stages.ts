/** The stages of the pipeline as a job would run them: in its own process, without a thread to hand the document to. */
import { encodeClaims } from '../../src/pipeline/claim-text.ts';
import { extract } from '../../src/pipeline/extract/extract.ts';
import { groupsOf, keysOf } from '../../src/pipeline/extract/keys.ts';
import { readDocument } from '../../src/pipeline/read.ts';
import type { Content } from '../parts/documents.ts';

export function runStages(document: Content) {
  const set = extract(readDocument(document));
  const groups = groupsOf(set);
  return {
    claims: encodeClaims(set),
    count: set.claims.length,
    keys: keysOf(set),
    groups: groups.map(({ group }) => group),
    values: groups.map(({ value }) => value),
  };
}
