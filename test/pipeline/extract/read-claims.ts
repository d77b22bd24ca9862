/** Reads a text and takes its claims, as the service does. */
import type { Claim, ClaimSet } from '../../../src/pipeline/claim.ts';
import { extract } from '../../../src/pipeline/extract/extract.ts';
import { readDocument } from '../../../src/pipeline/read.ts';

export function claimSet(text: string, type = 'txt'): ClaimSet {
  return extract(readDocument({ name: 'document', type, text }));
}

export function claims(text: string, kind?: Claim['kind'], type = 'txt'): Claim[] {
  return claimSet(text, type).claims.filter((claim) => kind === undefined || claim.kind === kind);
}
