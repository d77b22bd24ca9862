/** An export whose pages have no lines: its reader hears of it, and can go on from behind them. */
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { ExportAnswer } from '../../src/http/export-answer.ts';
import { later } from '../support/later.ts';

const app = Fastify();
later(() => app.close());
app.get('/', async (request, reply) => {
  const answer = new ExportAnswer(request, reply);
  for (let page = 1; page <= 45; page++) await answer.sendPage({ lines: '', count: 0, cursor: `c${page}` });
  answer.fail(new AppError('unavailable', 'This node is closing.'));
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });

it('has a cursor after each twenty of them, and that of the last one before an error', async () => {
  const lines = (await (await fetch(url)).text()).trim().split('\n');
  const cursors = lines.slice(0, -1).map((line) => JSON.parse(line));
  expect(cursors).toEqual(['c20', 'c40', 'c45'].map((cursor) => ({ kind: 'cursor', cursor })));
  expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ kind: 'error', error: { code: 'unavailable' } });
});
