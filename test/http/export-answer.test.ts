/** An export whose pages have no lines, or are long in coming: its reader hears of it, and can go on from behind them. */
import { createHash } from 'node:crypto';
import Fastify, { type FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { ExportAnswer } from '../../src/http/export-answer.ts';
import { later } from '../support/later.ts';
import { until } from '../support/until.ts';

const app = Fastify();
later(() => app.close());
app.get('/', async (request, reply) => {
  const answer = new ExportAnswer(request, reply);
  const write = async () => ({ lines: Buffer.alloc(0), count: 0 });
  for (let page = 1; page <= 45; page++) await answer.sendPage({ write, cursor: `c${page}` });
  answer.fail(new AppError('unavailable', 'This node is closing.'));
});
const page = (kind: string, cursor: string) => ({
  write: async () => ({ lines: Buffer.from(`{"kind":"${kind}"}\n`), count: 1 }),
  cursor,
});
/** Begins with a page, and goes on when it is told to. */
let goOn = () => {};
app.get('/slow', async (request: FastifyRequest, reply) => {
  const answer = new ExportAnswer(request, reply, 20);
  const told = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await answer.sendPage(page('document', 'c1'));
  await told;
  await answer.sendPage(page('fact', 'c2'));
  answer.sendEnd({ changed: false });
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });

it('has a cursor after each twenty of them, and that of the last one before an error', async () => {
  const lines = (await (await fetch(url)).text()).trim().split('\n');
  const cursors = lines.slice(0, -1).map((line) => JSON.parse(line));
  expect(cursors).toEqual(['c20', 'c40', 'c45'].map((cursor) => ({ kind: 'cursor', cursor })));
  expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ kind: 'error', error: { code: 'unavailable' } });
});

it('has the last cursor again and again while nothing comes, and the hash is of all that came', async () => {
  const response = await fetch(`${url}/slow`);
  let body = '';
  const read = (async () => {
    for await (const piece of response.body as AsyncIterable<Uint8Array>) body += Buffer.from(piece).toString();
  })();
  const cursors = () => body.split('\n').filter((line) => line === '{"kind":"cursor","cursor":"c1"}').length;
  await until(cursors, (count) => count >= 3);
  goOn();
  await read;
  const lines = body.trimEnd().split('\n');
  const kinds = lines.map((line) => JSON.parse(line).kind);
  expect([kinds[0], kinds.at(-1)]).toEqual(['document', 'end']);
  expect(kinds.filter((kind) => kind === 'fact')).toHaveLength(1);
  const before = body.slice(0, body.lastIndexOf('\n', body.length - 2) + 1);
  expect(JSON.parse(lines.at(-1) as string).sha256).toBe(createHash('sha256').update(before).digest('hex'));
});
