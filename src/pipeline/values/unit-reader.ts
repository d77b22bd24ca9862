/** Reads the unit that stands after a number, also of several words: '%', '°C', 'square miles', 'km per hour', 'US dollars'. */
import { CURRENCY_CODES, CURRENCY_NAMES, CURRENCY_SYMBOLS, NATIONS } from './currencies.ts';
import type { Token } from './tokens.ts';
import { BASIS_POINTS, PERCENT, POINTS, power, SCALES, UNIT_SYMBOLS, UNIT_WORDS, type Unit } from './units.ts';

export interface ReadUnit {
  unit: Unit;
  next: number;
}

const money = (code: string, factor = 1): Unit => ({ dimension: 'money', factor, offset: 0, name: code });
/** After '5 in' these make it inches. */
const AFTER_INCHES = new Set(['wide', 'long', 'tall', 'high', 'deep', 'thick', 'by', 'x']);

/** `inWords` and `value` are those of the number before: 'five m' is no length and 'a second' no ordinal. */
export function unitAt(tokens: Token[], at: number, inWords: boolean, value: number): ReadUnit | null {
  const token = tokens[at];
  if (!token) return null;
  if (token.kind === 'mark') return markAt(tokens, at, token, inWords);
  const read = simpleAt(tokens, at, token, inWords, value);
  if (!read) return null;
  return read.unit.dimension === 'length' ? (speedAt(tokens, read) ?? read) : read;
}

function markAt(tokens: Token[], at: number, token: Token, inWords: boolean): ReadUnit | null {
  const after = tokens[at + 1];
  if (token.text === '%') return { unit: PERCENT, next: at + 1 };
  if (token.text === '°' || token.text === 'º') {
    const scale = after && after.lower.length === 1 ? SCALES.get(after.lower) : undefined;
    return scale ? { unit: scale, next: at + 2 } : null;
  }
  // Some texts have blanks around every mark.
  if ((token.text === '-' || token.text === '\u2011') && token.glued === after?.glued && after.kind === 'word') {
    const read = simpleAt(tokens, at + 1, after, inWords, 1);
    return read && after.text.length > 1 ? read : null;
  }
  const code = CURRENCY_SYMBOLS.get(token.text);
  // In '5 $6' the sign belongs to what follows.
  if (code && !(after?.glued && after.kind === 'number')) return { unit: money(code), next: at + 1 };
  return null;
}

function simpleAt(tokens: Token[], at: number, token: Token, inWords: boolean, value: number): ReadUnit | null {
  const after = tokens[at + 1];
  const second = after?.lower ?? '';
  const next = at + 1;
  switch (token.lower) {
    case 'percent':
    case 'pct':
      return { unit: PERCENT, next };
    case 'percentage':
      return second === 'points' || second === 'point' ? { unit: POINTS, next: at + 2 } : null;
    case 'basis':
      return second === 'points' || second === 'point' ? { unit: BASIS_POINTS, next: at + 2 } : null;
    case 'per':
      return second === 'cent' ? { unit: PERCENT, next: at + 2 } : null;
    case 'degrees':
    case 'degree':
    case 'deg': {
      const scale = after && (after.lower.length > 1 || /[CF]/.test(after.text)) ? SCALES.get(second) : undefined;
      return scale ? { unit: scale, next: at + 2 } : null;
    }
    case 'square':
    case 'sq':
      return powerAt(tokens, at, 2);
    case 'cubic':
    case 'cu':
      return powerAt(tokens, at, 3);
    case 'nautical':
      return second.startsWith('mile') ? { unit: UNIT_SYMBOLS.get('nmi') as Unit, next: at + 2 } : null;
    case 'metric':
      return second.startsWith('ton') ? { unit: UNIT_WORDS.get('tonne') as Unit, next: at + 2 } : null;
    case 'pound':
    case 'pounds':
      if (second === 'sterling') return { unit: money('gbp'), next: at + 2 };
      break;
    case 'second':
      if (value !== 1) return null;
      break;
    case 'in':
      return isInches(token, after) && !inWords ? { unit: UNIT_SYMBOLS.get('in.') as Unit, next } : null;
  }
  const nation = CURRENCY_NAMES.has(second) ? NATIONS.get(token.lower) : undefined;
  if (nation) return { unit: money(nation, CURRENCY_NAMES.get(second)?.factor), next: at + 2 };
  const unit = UNIT_WORDS.get(token.lower) ?? symbolFor(token, inWords);
  if (unit) return { unit, next };
  const name = CURRENCY_NAMES.get(token.lower);
  if (name) return { unit: money(name.code, name.factor), next };
  const code = CURRENCY_CODES.get(token.text);
  return code && after?.kind !== 'number' ? { unit: money(code), next } : null;
}

function symbolFor(token: Token, inWords: boolean): Unit | undefined {
  if (token.text.length === 1) {
    if (inWords) return undefined;
    if (token.text === 'K' && !token.glued) return SCALES.get('k');
    if ((token.text === 'C' || token.text === 'F') && token.glued) return SCALES.get(token.lower);
  }
  return UNIT_SYMBOLS.get(token.text);
}

function isInches(token: Token, after: Token | undefined): boolean {
  if (token.text === 'in.') return true;
  return token.glued || !after || (after.kind === 'mark' && after.text !== '"') || AFTER_INCHES.has(after.lower);
}

function powerAt(tokens: Token[], at: number, exponent: 2 | 3): ReadUnit | null {
  const token = tokens[at + 1];
  const length = token && (UNIT_WORDS.get(token.lower) ?? UNIT_SYMBOLS.get(token.text));
  const unit = length ? power(length, exponent) : null;
  return unit && { unit, next: at + 2 };
}

/** 'km/h', 'kilometres per hour', 'miles an hour'. */
function speedAt(tokens: Token[], length: ReadUnit): ReadUnit | null {
  const joint = tokens[length.next];
  const isJoint = joint && (joint.text === '/' || joint.lower === 'per' || joint.lower === 'an' || joint.lower === 'a');
  const word = tokens[length.next + 1];
  const time = isJoint && word ? (UNIT_WORDS.get(word.lower) ?? UNIT_SYMBOLS.get(word.text)) : undefined;
  // Rain and growth are lengths a day or a year, not speeds; they convert all the same.
  if (time?.dimension !== 'time') return null;
  return {
    unit: { ...length.unit, dimension: 'speed', factor: length.unit.factor / time.factor },
    next: length.next + 2,
  };
}
