/** Cuts a word down to the part that its forms share, so that 'founded', 'founder' and 'founding' meet. */
import { IRREGULAR } from './irregular.ts';
import { WordCache } from './word-cache.ts';

/** Longest first, each with how many letters must be left. */
const SUFFIXES = (
  'isations:3 izations:3 isation:3 ization:3 ations:3 ation:3 ments:4 ment:4 nesses:4 ness:4 ingly:4 ions:4 ion:4 ings:4 ' +
  'ing:3 edly:4 ers:4 ors:4 ies:2 ied:2 ally:4 ed:3 er:4 or:4 ly:4 al:5 es:3 s:3'
)
  .split(' ')
  .map((suffix) => [suffix.slice(0, -2), Number(suffix.at(-1))] as const);

const forms = new Map<string, string>();
for (const { base, others } of IRREGULAR) for (const form of others) forms.set(form, cut(base));

const stems = new WordCache((word) => {
  const plain = fold(word);
  // Twice: 'considered' and 'consider' end alike only then.
  return forms.get(plain) ?? cut(cut(plain));
});

/** Of a word in small letters. */
export function stem(word: string): string {
  const known = stems.find(word);
  if (known !== undefined) return known;
  // Of a code every digit counts.
  return /\d/.test(word) ? word : stems.get(word);
}

/** Without accents, which one text writes and another leaves out. */
function fold(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is to be found
  if (/^[\x00-\x7f]*$/.test(word)) return word;
  return word.normalize('NFD').replace(/[\p{M}\p{Lm}]/gu, '') || word;
}

function cut(word: string): string {
  if (word.length <= 3) return word;
  for (const [ending, least] of SUFFIXES) {
    if (!word.endsWith(ending) || word.length - ending.length < least) continue;
    if (ending === 's' && /(?:ss|us|is)$/.test(word)) continue;
    const rest = word.slice(0, -ending.length);
    if (ending.length > 1 && ending !== 'es' && !/[aeiouy]/.test(rest)) continue;
    return tidy(ending === 'ies' || ending === 'ied' ? `${rest}i` : rest);
  }
  return tidy(word);
}

function tidy(base: string): string {
  let end = base.length;
  const last = base.charAt(end - 1);
  if (end > 3 && last === base.charAt(end - 2) && !'aeio'.includes(last)) end--;
  const stop = base.charAt(end - 1);
  if (stop === 'y' && end > 2) return `${base.slice(0, end - 1)}i`;
  if (end > 3 && stop === 'e') end--;
  return base.slice(0, end);
}
