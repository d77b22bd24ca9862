/** The log on a terminal, record by record. That it is chosen only there is tried in `process/terminal.test.ts`. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLog } from '../src/log.ts';
import { logLine } from '../src/log-lines.ts';

const at = '2026-03-04T05:06:07.089Z';
const options = { colours: false, stacks: false };
const show = (record: unknown, more: object = {}) => logLine(JSON.stringify(record), { ...options, ...more });

/** What the log itself writes of something. */
function written(say: (log: ReturnType<typeof createLog>) => void, more: object = {}): string {
  const lines: string[] = [];
  say(createLog('trace', { write: (line) => void lines.push(logLine(line, { ...options, ...more })) }));
  return lines.join('').replace(/^\S+/, '').trimStart();
}

describe('a line', () => {
  it('has the time of day, the level, the message, and whatever else there is by name', () => {
    expect(
      show({ level: 30, time: at, msg: 'it is up', port: 80, who: 'me', what: 'two words', more: { a: [1] } }),
    ).toBe('05:06:07.089Z info  it is up port=80 who=me what="two words" more={"a":[1]}\n');
    expect(show({ level: 40, time: at, msg: 'hm' })).toBe('05:06:07.089Z warn  hm\n');
  });

  it('says the same in colour', () => {
    const record = { level: 50, time: at, msg: 'it broke', err: { message: 'why', code: 'E1' }, port: 80 };
    const coloured = show(record, { colours: true });
    expect(coloured).toContain('\u001b[31merror\u001b[39m');
    expect(stripVTControlCharacters(coloured)).toBe(show(record));
  });

  it('has what an error says, its code and its cause', () => {
    const cause = Object.assign(new Error('the disk is full'), { code: '53100' });
    const error = new Error('cannot write', { cause });
    expect(written((log) => log.warn({ err: error, left_out: 3 }, 'not now'))).toBe(
      'warn  not now (cannot write, because of (the disk is full 53100)) left_out=3\n',
    );
  });
});

describe('a stack', () => {
  const known = Object.assign(new Error('gone\nand more'), { code: 'ECONNRESET' });
  const lines = (text: string) => text.trimEnd().split('\n');

  it('is shown of a 500', () => {
    const answered = lines(written((log) => log.error({ err: known, code: 'internal' }, 'unexpected')));
    expect(answered[0]).toBe('error unexpected (gone\\u{a}and more ECONNRESET) code=internal');
    expect(answered[1]).toMatch(/^ {4}at .*log-lines\.test\.ts/);
  });

  it('is not shown of anything else, unless at debug', () => {
    const say = (log: ReturnType<typeof createLog>) => log.error({ err: known }, 'lost a connection');
    expect(lines(written(say))).toHaveLength(1);
    expect(lines(written(say, { stacks: true })).length).toBeGreaterThan(1);
  });
});

describe('whatever it is given', () => {
  it.each([
    ['an escape in the message', { level: 30, time: at, msg: '\u001b[2Jgone\u0007' }],
    [
      'an escape in an error',
      { level: 50, time: at, msg: 'x', err: { message: '\u001b]0;title\u0007', code: '\u009b1A' } },
    ],
    ['an escape in a stack', { level: 50, msg: 'x', err: { message: 'm', stack: 'm\n    at \u001b[2Jx (y)' } }],
    ['an escape in a cause', { level: 50, msg: 'x', err: { message: 'm', cause: { message: '\u001b[2J' } } }],
    ['an escape in a name and a value', { level: 30, 'a\u001b[2J': 'b\u001b[2J', c: { 'd\u001b': ['\u202e'] } }],
    ['an escape in the time and the level', { level: '\u001b[2J', time: '\u001b[2J' }],
  ])('%s does not reach the terminal', (_name, record) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(show(record).replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  });

  it.each([
    null,
    [],
    7,
    'text',
    {},
    { level: 'high', time: 7, msg: { a: 1 }, err: 'no error' },
    { level: 30, err: null },
    { level: 50, msg: null, err: { message: 7, code: null, stack: 7, cause: [] } },
  ])('%j is a line', (record) => {
    expect(show(record, { stacks: true })).toMatch(/^.*\n$/);
  });

  it('what is no JSON is a line, too', () => {
    expect(logLine('half a {"line\u001b\n', options)).toBe('half a {"line\\u{1b}\n');
  });
});
