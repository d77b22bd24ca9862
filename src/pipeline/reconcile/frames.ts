/** Finds two statements that are word for word the same but for one figure. */
import { bare } from '../extract/terms.ts';

/** With fewer words around it a figure says nothing. */
const WORDS_LEAST = 2;
/** Years and parts of dates only say when. */
const TIME = /^=(?:1[5-9]\d\d|20\d\d|[a-z]{3}\d*)$/;
const FIGURE = /^=([a-z/]*)([<>]?)(-?[\d.]+(?:e[+-]?\d+)?)$/;

export function differInOneFigure(a: string[], b: string[]): boolean {
  if (a.length !== b.length) return false;
  let at = -1;
  let words = 0;
  for (let index = 0; index < a.length; index++) {
    const one = a[index] as string;
    const other = b[index] as string;
    if (bare(one) === bare(other)) {
      if (!one.startsWith('=')) words++;
    } else if (at < 0) at = index;
    else return false;
  }
  if (at < 0 || words < WORDS_LEAST) return false;
  return excludeEachOther(a[at] as string, b[at] as string);
}

function excludeEachOther(a: string, b: string): boolean {
  if (TIME.test(a) && TIME.test(b)) return false;
  const one = FIGURE.exec(a);
  const other = FIGURE.exec(b);
  if (!one || !other) return false;
  const [, kindA, signA, textA] = one;
  const [, kindB, signB, textB] = other;
  if (kindA !== kindB && kindA !== '' && kindB !== '') return false;
  const figureA = Number(textA);
  const figureB = Number(textB);
  if (signA === signB) return signA === '' && figureA !== figureB;
  const isBelow = (sign: string | undefined, bound: number, value: number) =>
    sign === '>' ? value <= bound : value >= bound;
  if (signA === '') return isBelow(signB, figureB, figureA);
  if (signB === '') return isBelow(signA, figureA, figureB);
  return signA === '>' ? figureA >= figureB : figureB >= figureA;
}
