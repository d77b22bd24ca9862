/** A record of the log as a line for people: when, how bad, what, and what else is known. */
import { harmless, type Painter, painter, plain, type Style } from './terminal.ts';

export interface LineOptions {
  colours: boolean;
  /** Whether to say of every error where it comes from. */
  stacks: boolean;
}

const LEVELS: Record<number, [name: string, style: Style]> = {
  10: ['trace', 'dim'],
  20: ['debug', 'blue'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
};
const LEVEL_WIDTH = 5;
const ERROR = 50;

type Members = Record<string, unknown>;

/** Turns one line of JSON into a line for people. What is no record is shown as it is: a log must not fail over it. */
export function logLine(json: string, options: LineOptions): string {
  const record = membersOf(parse(json));
  if (!record) return `${harmless(json.trimEnd())}\n`;
  const { level, time, msg, err, ...rest } = record;
  const paint = painter(options.colours);
  const [name, style] = LEVELS[Number(level)] ?? [plain(level), 'bold' as const];
  const error = membersOf(err);
  const words = [
    paint('dim', clockOf(time)),
    paint(style, name.padEnd(LEVEL_WIDTH)),
    messageOf(msg, Number(level) >= ERROR, paint),
    ...(error ? [paint(style, describe(error))] : err === undefined ? [] : [plain(err)]),
    ...Object.entries(rest).map(([name, value]) => `${paint('dim', `${harmless(name)}=`)}${plain(value)}`),
  ];
  const stack = error && wantsStack(record, options) ? stackOf(error) : [];
  const lines = [words.filter((word) => word !== '').join(' '), ...stack.map((line) => paint('dim', line))];
  return `${lines.join('\n')}\n`;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function membersOf(value: unknown): Members | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

/** Shows the time of day alone, in UTC as everywhere in this service. */
function clockOf(time: unknown): string {
  return typeof time === 'string' ? harmless(time.replace(/^[\d-]+T/, '')) : '';
}

function messageOf(msg: unknown, isBad: boolean, paint: Painter): string {
  const text = typeof msg === 'string' ? harmless(msg) : msg === undefined ? '' : plain(msg);
  return isBad && text ? paint('bold', text) : text;
}

/** What it says and its code, and the same of what caused it. */
function describe({ message, code, cause }: Members): string {
  const said = typeof message === 'string' ? harmless(message) : '';
  const because = membersOf(cause);
  return `(${said}${code === undefined ? '' : ` ${plain(code)}`}${because ? `, because of ${describe(because)}` : ''})`;
}

/** An answer of 500 is a fault of ours, which nobody else can place; a store that went away needs no stack. */
const wantsStack = ({ code }: Members, { stacks }: LineOptions) => stacks || code === 'internal';

/** Leaves the message out, which may have several lines of its own and was shown already. */
function stackOf({ stack, cause }: Members): string[] {
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^ +at /.test(line)) : [];
  const because = membersOf(cause);
  const own = frames.map((line) => `    ${harmless(line.trim())}`);
  return because ? [...own, '  because of', ...stackOf(because)] : own;
}
