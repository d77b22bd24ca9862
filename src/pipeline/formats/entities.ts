/** Character references of HTML, as Markdown has them too: by number, and by the names that are met in practice. */
import type { PlainText } from '../plain-text.ts';

/** From U+00A0 on, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
const OTHERS =
  'amp & lt < gt > quot " apos \' ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹ rsaquo › ' +
  'hellip … bull • trade ™ euro € permil ‰ dagger † Dagger ‡ prime ′ Prime ″ larr ← rarr → harr ↔ minus − le ≤ ge ≥ ' +
  'ne ≠ asymp ≈ equiv ≡ infin ∞ radic √ sum ∑ prod ∏ part ∂ int ∫ fnof ƒ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ ' +
  'alpha α beta β gamma γ delta δ epsilon ε lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ omega ω Delta Δ Sigma Σ ' +
  'Omega Ω num # percnt % lpar ( rpar ) lbrack [ rbrack ] colon : semi ; comma , period . excl ! quest ? sol / ' +
  'ensp \u2002 emsp \u2003 thinsp \u2009 zwnj \u200c zwj \u200d Tab \t NewLine \n';

const names = new Map<string, string>();
LATIN_1.split(' ').forEach((name, index) => {
  names.set(name, String.fromCharCode(0xa0 + index));
});
const others = OTHERS.split(' ');
for (let index = 0; index < others.length; index += 2) names.set(others[index] ?? '', others[index + 1] ?? '');

/** Written by number as they are numbered in Windows, by pages that were never right but are read as meant. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const REFERENCE = /&(?:#(\d{1,7})(?!\d)|#[xX]([\da-fA-F]{1,6})(?![\da-fA-F])|([A-Za-z][A-Za-z\d]{1,8}))(;?)/y;
/** Good without their semicolon, for they came before it was asked for. */
const BARE = /^(?:amp|lt|gt|quot|nbsp)$/;

/** The original from here to there, with each character reference as the character it means. */
export function copyDecoded(out: PlainText, from: number, to: number): void {
  let copied = from;
  for (let at = from; at < to; at++) {
    if (out.original.charCodeAt(at) !== 0x26) continue;
    const end = putReference(out, at, to, copied);
    if (end < 0) continue;
    copied = end;
    at = end - 1;
  }
  out.copy(copied, to);
}

/** Copies from `copied` up to the reference, then its character; gives where it ends, or -1 where there is none. */
export function putReference(out: PlainText, at: number, to: number, copied: number): number {
  REFERENCE.lastIndex = at;
  const match = REFERENCE.exec(out.original);
  const end = REFERENCE.lastIndex;
  if (!match || end > to) return -1;
  const [, decimal, hexadecimal, name, semicolon] = match;
  let character: string | undefined;
  if (name === undefined) character = characterOf(decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16));
  else if (semicolon || BARE.test(name)) character = names.get(name);
  if (character === undefined) return -1;
  out.copy(copied, at);
  out.put(character, at, end);
  return end;
}

function characterOf(code: number): string {
  if (code >= 0x80 && code < 0xa0) return WINDOWS.charAt(code - 0x80);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return '\ufffd';
  return String.fromCodePoint(code);
}
