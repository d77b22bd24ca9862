/** The log of a request: made with its first line, and then as any other. */
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { LateLog } from '../../src/http/request-log.ts';

function watched() {
  const lines: object[] = [];
  let children = 0;
  const log = pino(
    { level: 'debug', base: null, timestamp: false, onChild: () => void children++ },
    {
      write: (line: string) => void lines.push(JSON.parse(line)),
    },
  );
  return { log: new LateLog(() => log), lines, children: () => children };
}

it('is not made for a request that writes nothing', () => {
  const { log, children } = watched();
  log.child({}).child({ request_id: 'a' });
  expect(children()).toBe(0);
});

it('is made once, and its lines say whose they are', () => {
  const { log, lines, children } = watched();
  const [a, b] = [log.child({ request_id: 'a' }), log.child({ request_id: 'b' })];
  a.warn({ code: 'x' }, 'first');
  b.error('second');
  a.debug('third');
  a.trace('too fine');
  a.child({ more: 1 }).fatal('fourth');
  log.info('of nobody');
  expect(lines).toEqual([
    { level: 40, request_id: 'a', code: 'x', msg: 'first' },
    { level: 50, request_id: 'b', msg: 'second' },
    { level: 20, request_id: 'a', msg: 'third' },
    { level: 60, request_id: 'a', more: 1, msg: 'fourth' },
    { level: 30, msg: 'of nobody' },
  ]);
  expect(children()).toBe(3);
  expect(a.level).toBe('debug');
});

it('tells no more of an error than the log that it is made from', async () => {
  const lines: string[] = [];
  const log = pino({ serializers: { err: () => 'an error' } }, { write: (line: string) => void lines.push(line) });
  const app = Fastify({ loggerInstance: new LateLog(() => log) as FastifyBaseLogger });
  app.get('/', (request) => {
    request.log.error({ err: Object.assign(new Error('no'), { detail: 'secret' }) }, 'it failed');
    return 'ok';
  });
  await app.inject('/');
  expect(lines.join()).toContain('"err":"an error"');
  expect(lines.join()).not.toContain('secret');
});
