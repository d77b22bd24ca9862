/** Ids of facts and claims, which are made from what they are: they are the same when a document is processed again. */
import { ALPHABET } from './ids.ts';

const FACT = 'fact_';
const CLAIM = 'clm_';
const BASE = 32;
/** Five bits each: enough for the 53 of a hash. */
const DIGITS = 11;

/** Of a group of claims, as it is stored. In order of the ids is in order of the groups. */
export const factIdOf = (group: number) => `${FACT}${toText(group)}`;

/** Null for what is no id of a fact. */
export function groupOfFact(factId: string): number | null {
  if (!factId.startsWith(FACT) || factId.length !== FACT.length + DIGITS) return null;
  let group = 0;
  for (const character of factId.slice(FACT.length)) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    group = group * BASE + digit;
  }
  return Number.isSafeInteger(group) ? group : null;
}

/** With the hash of the document: others may say the same at the same place. */
export const claimIdOf = (documentHash: number, claimHash: number) =>
  `${CLAIM}${toText(documentHash)}${toText(claimHash)}`;

/** The most significant digit first. */
function toText(hash: number): string {
  let text = '';
  for (let left = hash, digit = 0; digit < DIGITS; digit++, left = Math.floor(left / BASE))
    text = `${ALPHABET[left % BASE]}${text}`;
  return text;
}
