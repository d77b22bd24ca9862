/** Figures, ages and moments as people read them. */
import { h } from './dom.js';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

export const count = (n) => whole.format(n);
export const counted = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
export const rate = (n) => (n >= 100 ? whole.format(n) : fine.format(n));
export const share = (n) => `${Math.round(n * 100)}`;

/** @type {[number, number, string][]} */
const STEPS = [
  [1000, 1, 'ms'],
  [60_000, 1000, 's'],
  [3_600_000, 60_000, 'min'],
  [172_800_000, 3_600_000, 'h'],
  [Infinity, 86_400_000, 'days'],
];

/** 840 ms, 4.2 s, 12 min, 3 h, 5 days. */
export function duration(ms) {
  const [, unit, name] = STEPS.find(([below]) => ms < below);
  const n = ms / unit;
  const text = name === 's' && n < 10 ? fine.format(n) : whole.format(Math.floor(n));
  return `${text} ${name}`;
}

export const ago = (moment, now = Date.now()) => {
  const ms = now - Date.parse(moment);
  return ms < 2000 ? 'just now' : `${duration(ms)} ago`;
};

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

export const timeOfDay = (moment) => clock.format(new Date(moment));

/** The time of today, and the day before it of what is older. */
export function moment(text, now = new Date()) {
  const at = new Date(text);
  return at.toDateString() === now.toDateString() ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}

/** How long ago, and when exactly for who points at it. */
export const since = (text) =>
  text ? h('time', { datetime: text, title: new Date(text).toLocaleString() }, ago(text)) : '–';
export const at = (text) =>
  text ? h('time', { datetime: text, title: new Date(text).toISOString() }, moment(text)) : '–';

/** Whose key it was. */
export function actor(by) {
  if (!by) return 'unknown';
  return by.label ?? by.key_prefix ?? by.kind;
}
