/** Reads a time of day: '02:17', '5.30 am', '6 pm', 'noon'. It is in minutes since midnight. */
import type { Token } from './tokens.ts';
import { type Quantity, stretchOf } from './value.ts';

const HALVES = new Map(Object.entries({ am: 0, pm: 12 }));
/** Without these '10:30' may be a ratio, a score or a verse. */
const LEADS = new Set('at from until till by to for before after around about is was and between than'.split(' '));

export function clockAt(tokens: Token[], at: number): { value: Quantity; next: number } | null {
  const token = tokens[at] as Token;
  if (token.kind !== 'number' || token.text.length > 5) return null;
  const after = tokens[at + 1];
  // Most numbers have neither minutes nor a half of the day.
  if (after?.text !== ':' && !HALVES.has(after?.lower ?? '') && !token.text.includes('.')) return null;
  const [hour, minute, end] = digitsAt(tokens, at);
  const half = HALVES.get(tokens[end]?.lower ?? '');
  if (half === undefined && (minute === null || !tokens[at + 1]?.glued || !LEADS.has(tokens[at - 1]?.lower ?? '')))
    return null;
  if (half === undefined && token.text.includes('.')) return null;
  if (hour > (half === undefined ? 23 : 12) || (minute ?? 0) > 59) return null;
  const time = ((half === undefined ? hour : (hour % 12) + half) * 60 + (minute ?? 0)) % DAY;
  return { value: stretchOf('clock', '', [time, time], 1), next: half === undefined ? end : end + 1 };
}

const DAY = 24 * 60;

/** The hour, the minutes if there are any, and the token after them. */
function digitsAt(tokens: Token[], at: number): [hour: number, minute: number | null, next: number] {
  const { text } = tokens[at] as Token;
  const [hour = '', minute] = text.split('.');
  if (minute !== undefined) return [Number(hour), minute.length === 2 ? Number(minute) : 99, at + 1];
  const [colon, minutes] = [tokens[at + 1], tokens[at + 2]];
  if (colon?.text !== ':' || !colon.glued || !minutes?.glued || !/^\d\d$/.test(minutes.text))
    return [/^\d{1,2}$/.test(hour) ? Number(hour) : 99, null, at + 1];
  const seconds = tokens[at + 3]?.text === ':' && tokens[at + 3]?.glued && /^\d\d$/.test(tokens[at + 4]?.text ?? '');
  return [Number(hour), Number(minutes.text), seconds ? at + 5 : at + 3];
}
