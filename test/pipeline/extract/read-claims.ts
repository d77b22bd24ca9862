/** Reads a text and takes its claims, as the service does. */
import type { Claim, ClaimSet } from '../../../src/pipeline/claim.ts';
import { extract } from '../../../src/pipeline/extract/extract.ts';
import { readDocument } from '../../../src/pipeline/read.ts';

export function claimSet(text: string, type = 'txt'): ClaimSet {
  return extract(readDocument({ name: 'document', type, text }));
}

export function claims<Kind extends Claim['kind']>(text: string, kind?: Kind, type = 'txt') {
  const isOfKind = (claim: Claim): claim is Extract<Claim, { kind: Kind }> => kind === undefined || claim.kind === kind;
  return claimSet(text, type).claims.filter(isOfKind);
}
