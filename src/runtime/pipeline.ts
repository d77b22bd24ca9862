/** The pipeline as the runtime uses it: what is kept of a document, and what two of them have against each other. Pure. */
import { type ClaimSet, MAX_CLAIMS } from '../pipeline/claim.ts';
import { piecesOf } from '../pipeline/claim-pieces.ts';
import { decodeClaims, encodeClaims } from '../pipeline/claim-text.ts';
import { extract } from '../pipeline/extract/extract.ts';
import { givenClaims } from '../pipeline/extract/given.ts';
import { groupsOf, keysOf } from '../pipeline/extract/keys.ts';
import { readDocument } from '../pipeline/read.ts';
import { conflictsBetween } from '../pipeline/reconcile/reconcile.ts';
import { type Side as Claims, sideOf } from '../pipeline/reconcile/side.ts';
import type { Found, Pipeline, Side, ThreadDocument } from './thread.ts';

/** Only what is kept goes back: a copy of every sentence would cost more than reading them. */
export const pipeline: Pipeline<Claims> = {
  read(document) {
    const { set, warnings } = claimsIn(document);
    const groups = groupsOf(set);
    const claims = encodeClaims(set);
    const said = groups.map(({ claim }) => claim);
    const side = sideOf(set);
    const reading = {
      claims,
      pieces: piecesOf(said, set.rules, claims.length),
      count: set.claims.length,
      keys: keysOf(set),
      groups: groups.map(({ group }) => group),
      values: groups.map(({ value }) => value),
      labels: groups.map(({ label }) => label),
      sketch: (side.sketch?.length ?? 0) > MAX_SKETCH ? null : side.sketch,
      warnings,
    };
    return { reading, claims: side };
  },

  decode: (claims) => sideOf(decodeClaims(claims)),

  compare(own, others) {
    const found: Found[] = [];
    for (let other = 0; other < others.length; other++) {
      const theirs = others[other] as Claims;
      for (const { a, b, groupA, valueA, groupB, valueB, ...why } of conflictsBetween(own, theirs))
        found.push({ other, ...why, own: saidBy(own, a, groupA, valueA), others: saidBy(theirs, b, groupB, valueB) });
    }
    return found;
  },
};

/** In numbers. Of a sentence of a hundred words nothing is told before it is compared. */
const MAX_SKETCH = 100;

function claimsIn(document: ThreadDocument): { set: ClaimSet; warnings: string[] } {
  const { given, warning } = document;
  if (given) return { set: givenClaims(given.claims), warnings: given.warnings };
  const reading = readDocument(document);
  const set = extract(reading);
  const cut = set.claims.length < MAX_CLAIMS ? [] : [TOO_MANY];
  return { set, warnings: [...reading.warnings, ...cut, ...(warning ? [warning] : [])] };
}

const TOO_MANY = `No more than ${MAX_CLAIMS} claims of a document are compared, and this one has as many: what follows is left out. Send it in parts.`;

function saidBy({ set }: Claims, index: number, group: number, value: number): Side {
  const { sentence, span } = set.claims[index] as ClaimSet['claims'][number];
  return { sentence, span, group, value };
}
