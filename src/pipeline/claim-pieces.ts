/**
 * What is shown of the claims of a long document, in pieces: the claims of a sentence each, so that one can be shown without reading
 * the document's thousand. Each piece is a text as that of a whole document is, without what only comparing needs.
 */
import type { Claim, Profile, Words } from './claim.ts';
import { decodeClaims, encodeClaims } from './claim-text.ts';

export interface Pieces {
  /** One after the other. */
  text: string;
  /** By place of the claim, where its piece ends, in bytes. */
  ends: number[];
}

/** Up to about so many characters a whole document is as small as a piece. */
const WHOLE = 2000;

/** Of the claims that may be shown; null for a document whose claims take so few characters that it is shown from all of them. */
export function piecesOf(claims: Claim[], rules: number, characters: number): Pieces | null {
  if (characters <= WHOLE) return null;
  const texts: string[] = [];
  const ends: number[] = [];
  let end = 0;
  for (let from = 0; from < claims.length; from = ends.length) {
    const piece = sameSentence(claims, from);
    const text = encodeClaims({ rules, profile: NO_PROFILE, claims: piece.map(asShown) });
    texts.push(text);
    end += Buffer.byteLength(text);
    for (const _ of piece) ends.push(end);
  }
  return { text: texts.join(''), ends };
}

/** `place`: among the claims of the piece, from 0 on. */
export const claimInPiece = (piece: string, place: number): Claim | undefined => decodeClaims(piece).claims[place];

function sameSentence(claims: Claim[], from: number): Claim[] {
  const sentence = claims[from]?.sentence;
  let to = from + 1;
  while (to < claims.length && claims[to]?.sentence === sentence) to++;
  return claims.slice(from, to);
}

/** One and the same, so that it is written once. */
const NOTHING: never[] = [];
const NO_PROFILE: Profile = {
  subject: NOTHING,
  years: NOTHING,
  names: NOTHING,
  topic: NOTHING,
  phrase: NOTHING,
  issue: NOTHING,
  sentences: 0,
};
const NO_WORDS: Words = { words: NOTHING, text: '' };

const UNSHOWN = { anchors: NOTHING, terms: NOTHING, rest: NOTHING, role: '', record: '', head: '' } as const;

function asShown(claim: Claim): Claim {
  const attribute = claim.label === '' ? claim.attribute : '';
  if (claim.kind === 'quantity') return { ...claim, ...UNSHOWN, attribute };
  if (claim.kind === 'field') return { ...claim, ...UNSHOWN, attribute, value: NO_WORDS };
  return { ...claim, ...UNSHOWN, attribute, value: NOTHING };
}
