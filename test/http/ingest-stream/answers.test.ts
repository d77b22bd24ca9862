/** Answers that nobody reads: that is told after a time, and the last line waits for who reads then. */
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { Answers } from '../../../src/http/ingest-stream/answers.ts';
import { later } from '../../support/later.ts';
import { until } from '../../support/until.ts';

/** Of 50 KB each: more than the systems of both sides take of them before anybody reads. */
const LINES = 1000;
const SKIPPED = 's'.repeat(50_000);

it('end with how far it came, when they are left for too long', async () => {
  const app = Fastify();
  later(() => app.close());
  let unread = 0;
  app.get('/', async (request, reply) => {
    const answers: Answers = new Answers(request, reply, {
      errorsOnly: false,
      patienceMs: 500,
      lines: { accepted: 0, rejected: 0, skipped: 0 },
      onMore: () => {},
      onUnread: () => {
        unread++;
        answers.close(new AppError('request_timeout', 'The answers are not read.'));
      },
    });
    for (let number = 1; number <= LINES; number++)
      answers.decide(answers.begin(number, 1), { status: 204, skipped: SKIPPED });
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  later(() => socket.destroy());
  let end = '';
  socket.on('error', () => {});
  socket.on('data', (piece: Buffer) => {
    end = (end + piece.toString('latin1')).slice(-1000);
  });
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(
    () => unread,
    (times) => times === 1,
  );
  socket.resume();
  await until(
    () => end,
    (text) => text.includes('"code":"request_timeout"'),
  );
  expect(end).toContain(`{"through":${LINES},"accepted":0,"rejected":0,"skipped":${LINES},"done":false`);
  expect(unread).toBe(1);
});
