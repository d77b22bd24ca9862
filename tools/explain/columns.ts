/** Prints the claims of two documents side by side. */
import type { Claim } from '../../src/pipeline/claim.ts';

/** Two of them, with the gap, are as wide as a terminal that has been made wide. */
const WIDTH = 76;
const GAP = '  ';

export function sideBySide(left: string[], right: string[]): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    `${fitted(left[row] ?? '').padEnd(WIDTH)}${GAP}${fitted(right[row] ?? '')}`.trimEnd(),
  );
}

const fitted = (text: string) => (text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`);

/** What a claim is about, what it says, and what it holds for; then its sentence. */
export function linesOf(claims: Claim[], letter: string): string[] {
  return claims.flatMap((claim, place) => {
    const { kind, subject, label, attribute, shown, polarity, modality, qualifiers, sentence } = claim;
    const holds = Object.entries(qualifiers).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
    const marks = [...(polarity ? [] : ['denied']), ...(modality === 'fact' ? [] : [modality]), ...holds];
    const said = `${subject || '-'} · ${label || attribute || '-'} = ${shown || '-'}`;
    return [
      `${letter}${place + 1} ${kind}: ${said}${marks.length > 0 ? ` [${marks.join('; ')}]` : ''}`,
      `   ${sentence.replace(/\s+/g, ' ')}`,
    ];
  });
}
