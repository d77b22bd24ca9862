/** How far something has come, in words: of bytes, of documents with a bar and the time that is left, or of what nobody knows the end of. Pure. */

export interface Reached {
  /** What was done, such as 'written'. */
  what: string;
  at: number;
  total: number;
  seconds: number;
  /** Only a terminal has a bar. */
  isTerminal: boolean;
}

export type LineOf = (reached: Reached) => string;

const BAR = 20;
/** Before that a rate is a guess. */
const RATE_AFTER_S = 1;

export const bytesLine: LineOf = ({ what, at, total, seconds }) => {
  const rate = seconds > 0 ? `, ${size(at / seconds)}/s` : '';
  return `${what} ${size(at)} of about ${size(Math.max(at, total))} (${Math.floor(100 * share(at, total))} %)${rate}`;
};

/** By a measure that is known beforehand, while it counts documents, which are not. */
export const documentsLine =
  (count: () => number): LineOf =>
  ({ what, at, total, seconds, isTerminal }) => {
    const done = share(at, total);
    const filled = Math.floor(BAR * done);
    const bar = isTerminal ? `[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ` : '';
    const words = `${bar}${Math.floor(100 * done)} %, ${counted(count(), 'document')} ${what}`;
    if (seconds < RATE_AFTER_S || at === 0) return words;
    return `${words}, ${inWords(count() / seconds)}/s, ${timeLeft((seconds * (1 - done)) / done)}`;
  };

export const linesLine =
  (count: () => number): LineOf =>
  ({ what, at, seconds }) => {
    const rate = seconds < RATE_AFTER_S ? '' : `, ${size(at / seconds)}/s`;
    return `${counted(count(), 'line')} ${what}, ${size(at)}${rate}`;
  };

const share = (at: number, total: number) => Math.min(1, at / Math.max(1, total));

export const inWords = (count: number) => Math.round(count).toLocaleString('en');

/** '1 document', '2,310 documents'. */
export const counted = (count: number, one: string) => `${inWords(count)} ${one}${Math.round(count) === 1 ? '' : 's'}`;

export function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s left`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s left`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min left`;
}

export function size(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.ceil(bytes / 1000)} kB`;
}
