/** Numbers written in digits: separators, decimals and fractions of one character. */

export interface Digits {
  end: number;
  /** NaN for what is made of digits but is no number, such as '3.0.1'. */
  value: number;
  precision: number;
  dressed: boolean;
}

/** More digits than these name something. */
const MAX_DIGITS = 15;
const FRACTIONS = new Map(
  Object.entries({
    '½': 1 / 2,
    '⅓': 1 / 3,
    '⅔': 2 / 3,
    '¼': 1 / 4,
    '¾': 3 / 4,
    '⅕': 0.2,
    '⅖': 0.4,
    '⅗': 0.6,
    '⅘': 0.8,
  }).concat(Object.entries({ '⅙': 1 / 6, '⅚': 5 / 6, '⅛': 0.125, '⅜': 0.375, '⅝': 0.625, '⅞': 0.875 })),
);
const LAST_ASCII = 0x7f;
/** Between thousands: a comma, or a blank that does not break. */
const SEPARATORS = ',\u00a0\u202f\u2009';

/** Null if none begins at `start`. */
export function numberAt(text: string, start: number, glued: boolean): Digits | null {
  const first = text.charCodeAt(start);
  const startsWithPoint = first === 0x2e && !glued && isDigit(text, start + 1);
  if (!startsWithPoint && !isDigit(text, start)) return fractionAt(text, start, 0, start);
  const whole = endOfDigits(text, start);
  const grouped = whole - start <= 3 && whole > start ? endOfGroups(text, whole) : whole;
  if (grouped < 0 || whole - start > MAX_DIGITS)
    return { end: endOfJumble(text, whole), value: Number.NaN, precision: 0, dressed: true };
  let end = grouped;
  if (text.charCodeAt(end) === 0x2e && isDigit(text, end + 1)) {
    end = endOfDigits(text, end + 1);
    const isVersion = text.charCodeAt(end) === 0x2e && isDigit(text, end + 1);
    if (isVersion || end - start > 3 * MAX_DIGITS)
      return { end: endOfJumble(text, end), value: Number.NaN, precision: 0, dressed: true };
  }
  const written = text.slice(start, end);
  const value = Number(grouped > whole ? stripSeparators(written) : written);
  if (end === whole) {
    const mixed = fractionAt(text, end, value, start);
    if (mixed) return mixed;
  }
  const decimals = end > grouped ? end - grouped - 1 : 0;
  const precision = decimals > 0 ? 10 ** -decimals : wholePrecision(value);
  return { end, value, precision, dressed: end > whole };
}

/**
 * The size that a whole number may have been rounded to. One nought at the end of a small number is no sign of it: twenty is
 * not twenty-one.
 */
export function wholePrecision(value: number): number {
  if (value === 0 || !Number.isSafeInteger(value)) return 1;
  let size = 1;
  while (value % (size * 10) === 0) size *= 10;
  return size === 10 && value < 1000 ? 1 : size;
}

function fractionAt(text: string, at: number, whole: number, start: number): Digits | null {
  if (!(text.charCodeAt(at) > LAST_ASCII)) return null;
  const part = FRACTIONS.get(text.charAt(at));
  if (part === undefined) return null;
  return { end: at + 1, value: whole + part, precision: at > start ? 0.25 : 0.01, dressed: true };
}

/** -1 if a comma joins digits in another way: '2,5' is read differently by different people. */
function endOfGroups(text: string, from: number): number {
  let end = from;
  while (SEPARATORS.includes(text.charAt(end)) && isDigit(text, end + 1)) {
    const comma = text.charAt(end) === ',';
    const stop = endOfDigits(text, end + 1);
    const size = stop - end - 1;
    // Indian groups have two digits, but for the last.
    const isGroup = size === 3 || (size === 2 && comma && text.charAt(stop) === ',' && isDigit(text, stop + 1));
    if (!isGroup) return comma ? -1 : end;
    end = stop;
  }
  return end;
}

function endOfJumble(text: string, from: number): number {
  let end = from;
  while (isDigit(text, end) || ((text.charAt(end) === '.' || text.charAt(end) === ',') && isDigit(text, end + 1)))
    end++;
  return end;
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (isDigit(text, end)) end++;
  return end;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

const stripSeparators = (written: string) => written.replace(/[,\u00a0\u202f\u2009]/g, '');
