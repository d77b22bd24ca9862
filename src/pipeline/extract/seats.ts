/** Reads where a body has its seat, and who leads, owns or made a thing by a verb: 'X manages Z', 'Z is managed by X'. */
import { type Holder, namesAfter, namesBefore } from './holders.ts';
import { stem } from './stem.ts';
import { type Token, textOf } from './tokens.ts';

const table = (pairs: string) => new Map(pairs.split('|').map((pair) => pair.split(' ') as [string, string]));
const SEATS = new Set(['headquarters', 'headquartered']);
const BETWEEN = new Set(['is', 'are', 'has', 'its', 'currently', 'now', 'located', 'the']);

/** The office that a verb tells of; what one owns or makes is told by the verb itself. */
const OFFICES = table('managed manager|led leader|headed leader|chaired chairman|coached head-coach');
const PARTICIPLES = table(
  'manages managed|leads led|heads headed|chairs chaired|coaches coached|owns owned|wrote written|' +
    'directed directed|composed composed|painted painted|invented invented',
);
const NOW = new Set(['is', 'currently', 'now']);

export function seatsOf(tokens: Token[]): Holder[] {
  const found: Holder[] = [];
  tokens.forEach((token, at) => {
    if (token.kind === 'word' && TELLING.has(token.lower)) found.push(...seatsAt(tokens, token, at));
  });
  return found;
}

const TELLING = new Set([...SEATS, ...PARTICIPLES.keys(), ...OFFICES.keys()]);

function seatsAt(tokens: Token[], token: Token, at: number): Holder[] {
  if (SEATS.has(token.lower)) return seatAt(tokens, at);
  const done = PARTICIPLES.get(token.lower);
  if (done && !token.isName) return activeAt(tokens, at, done);
  const office = OFFICES.get(token.lower);
  return office && tokens[at + 1]?.lower === 'by' && NOW.has(tokens[at - 1]?.lower ?? '')
    ? passiveAt(tokens, at, office)
    : [];
}

/** 'Z is headquartered in X', 'Z has its headquarters in X', 'the headquarters of Z are in X', "Z's headquarters are in X". */
function seatAt(tokens: Token[], at: number): Holder[] {
  let start = at;
  while (BETWEEN.has(tokens[start - 1]?.lower ?? '')) start--;
  let next = at + 1;
  let of = namesBefore(tokens, tokens[start - 1]?.lower === "'s" ? start - 1 : start);
  if (tokens[next]?.lower === 'of') {
    next += tokens[next + 1]?.lower === 'the' ? 2 : 1;
    of = namesAfter(tokens, next);
    next += of.length;
  }
  while (BETWEEN.has(tokens[next]?.lower ?? '')) next++;
  if (tokens[next]?.lower !== 'in') return [];
  const holder = namesAfter(tokens, next + 1);
  return made('headquarters', `headquarters of ${textOf(of)}`, of, holder);
}

/** 'X manages Z.' with nothing else before the verb or close behind. */
function activeAt(tokens: Token[], at: number, done: string): Holder[] {
  const holder = namesBefore(tokens, at);
  if (holder.length !== at) return [];
  const from = tokens[at + 1]?.lower === 'the' ? at + 2 : at + 1;
  const of = namesAfter(tokens, from);
  const next = tokens[from + of.length];
  if (next !== undefined && next.text !== '.' && next.lower !== 'in') return [];
  return made(OFFICES.get(done) ?? stem(done), `${done} by`, of, holder);
}

function passiveAt(tokens: Token[], at: number, office: string): Holder[] {
  let start = at;
  while (NOW.has(tokens[start - 1]?.lower ?? '')) start--;
  return made(office, `${tokens[at]?.lower} by`, namesBefore(tokens, start), namesAfter(tokens, at + 2));
}

function made(office: string, label: string, of: Token[], holder: Token[]): Holder[] {
  return of.length === 0 || holder.length === 0 ? [] : [{ office, label, of, holder, isAside: false }];
}
