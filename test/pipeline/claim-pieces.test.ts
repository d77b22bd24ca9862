import { describe, expect, it } from 'vitest';
import { claimInPiece, type Pieces, piecesOf } from '../../src/pipeline/claim-pieces.ts';
import { shownClaim } from '../../src/pipeline/shown/claim.ts';
import { claimSet } from './extract/read-claims.ts';

const TEXT = `Malmö Köln Rail is a company based in Aarhus. In 2023, it had more than 1,900 employees, about 12% of them in Cork.
The board has not approved the plan. Zoë Larsen is the chief executive of Malmö Köln Rail – since 2 May 2019. Its revenue rose from
€3 million to €4.5 million. If the merger goes ahead, it would own at least 40% of the shares.`;
const { claims, rules } = claimSet(TEXT);
const LONG = 2001;

/** As Postgres cuts it: the claim of a place, by the ends alone. */
function claimOf({ text, ends }: Pieces, place: number) {
  const first = ends.indexOf(ends[place] as number);
  const piece = Buffer.from(text).subarray(ends[first - 1] ?? 0, ends[place]);
  return claimInPiece(piece.toString(), place - first);
}

describe('the claims of a long document, in pieces', () => {
  const pieces = piecesOf(claims, rules, LONG) as Pieces;

  it('are shown as those of the whole, each by its place', () => {
    expect(claims.length).toBeGreaterThan(8);
    expect(new Set(claims.map(({ kind }) => kind)).size).toBe(3);
    expect(claims.map((_, place) => shownClaim(claimOf(pieces, place) as (typeof claims)[0]))).toEqual(
      claims.map(shownClaim),
    );
  });

  it('have a piece for each sentence, and say it once there', () => {
    expect(new Set(pieces.ends).size).toBe(new Set(claims.map(({ sentence }) => sentence)).size);
    expect(pieces.text.split('about 12% of them in Cork')).toHaveLength(2);
  });

  it('are left out where all of them are as short', () => {
    expect(piecesOf(claims, rules, LONG - 1)).toBeNull();
  });
});
