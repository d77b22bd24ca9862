/** That whatever is wrong with a service would be seen by those who send it made-up requests. */
import { describe, expect, it } from 'vitest';
import { AppError, invalid } from '../../src/errors.ts';
import { fuzzPlanted } from './fuzz/planted.ts';
import { describeBreaks } from './fuzz/report.ts';

describe('the oracle', () => {
  const echo = (request: { body?: unknown }) => request.body;
  const found = async (...planted: Parameters<typeof fuzzPlanted>) =>
    (await fuzzPlanted(...planted)).breaks.map(({ what }) => what).join('\n');

  it('has nothing to say of a service that is right', async () =>
    expect(await found(echo, { requests: 300 })).toBe(''));

  it.each<[string, Parameters<typeof fuzzPlanted>[0], string]>([
    ['a crash', () => Promise.reject(new Error('planted')), 'a 500'],
    ['a 503', (_request, reply) => reply.code(503).send({}), 'a 503'],
    ['an answer that breaks its schema', () => ({ name: '' }), 'a 200 that breaks its schema'],
    ['another content type', (_request, reply) => reply.type('text/html').send('x'), 'text/html'],
    ['an undeclared status', (_request, reply) => reply.code(201).send({ name: 'x' }), '201, which the contract'],
    [
      'an error of another shape',
      (_request, reply) => reply.code(400).send({ error: 'x' }),
      'a 400 that is no Problem',
    ],
    ['a refusal of what is right', () => Promise.reject(new AppError('malformed_json', 'no')), 'a 400 to what fits'],
    [
      'an error that tells of the inside',
      () => Promise.reject(invalid('body', 'relation "documents" does not exist')),
      'tells of the inside',
    ],
    ['a crash within a batch', () => ({ name: 'x', results: [{ status: 500 }] }), 'a 500 within a 200'],
    ['a 401 that does not ask for a key', (_request, reply) => reply.code(401).send({}), 'without WWW-Authenticate'],
    ['a 405 that names no method', (_request, reply) => reply.code(405).send({}), 'without Allow'],
    ['a 429 that names no time', (_request, reply) => reply.code(429).send({}), 'without Retry-After'],
    [
      'a 429 that names no limit',
      (_request, reply) => reply.code(429).header('retry-after', 1).send({}),
      'without RateLimit',
    ],
    [
      'an answer that a browser may guess at',
      (_request, reply) => reply.removeHeader('x-content-type-options').send({ name: 'x' }),
      'without its safe headers',
    ],
    [
      'a header that was smuggled in',
      (_request, reply) => reply.header('x-injected', '1').send({ name: 'x' }),
      'a header that the request',
    ],
    ['no answer', (_request, reply) => reply.raw.destroy(), 'the connection was closed'],
    [
      'no request id',
      (_request, reply) => reply.removeHeader('x-request-id').send({ name: 'x' }),
      'without X-Request-Id',
    ],
  ])('sees %s', async (_what, handler, words) => expect(await found(handler)).toContain(words));

  it('sees that a wrong body is taken', async () =>
    expect(await found(() => ({ name: 'x' }), { checksBodies: false })).toContain('a 200 to what does not fit'));

  it('gives the same requests for the same seed, and says how to send one again', async () => {
    const crash = () => Promise.reject(new Error('planted'));
    const [one, two] = [await fuzzPlanted(crash), await fuzzPlanted(crash)];
    const sent = ({ breaks }: typeof one) =>
      breaks.map(({ index, curl }) => [index, curl.replaceAll(/127\.0\.0\.1:\d+/g, '')]).sort();
    expect(sent(two)).toEqual(sent(one));
    expect(describeBreaks(one)).toMatch(/curl -sS .* -X 'POST' .*\/api\/thing/);
  });
});
