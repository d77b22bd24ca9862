/** Sends lines to POST /api/ingest/stream as fast as they are taken, and reads what is answered. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Load } from './wrk.ts';

/** Written at once. */
const PORTION = 200;
const NEWLINE = 0x0a;

export interface StreamOptions {
  port: number;
  tenantId: string;
  /** Without a newline. */
  next: () => string;
  /** Whether to go on, after so many lines were answered. */
  goesOn: (answered: number) => boolean;
}

/** Until it is told to end, and all is answered. */
export async function streamLines({ port, tenantId, next, goesOn }: StreamOptions): Promise<Load> {
  const headers = { 'content-type': 'application/x-ndjson', 'x-tenant-id': tenantId };
  const sending = request({
    port,
    host: '127.0.0.1',
    path: '/api/ingest/stream',
    method: 'POST',
    headers,
    agent: false,
  });
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  sending.flushHeaders();
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`the stream was answered ${answer.statusCode}`);
  let answered = 0;
  let tail = '';
  answer.on('data', (piece: Buffer) => {
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) answered++;
    tail = (tail + piece.subarray(-1000).toString()).slice(-2000);
  });
  const ended = once(answer, 'end');
  while (goesOn(answered)) {
    const lines = Array.from({ length: PORTION }, next).join('\n');
    if (!sending.write(`${lines}\n`)) await Promise.race([once(sending, 'drain'), ended]);
  }
  sending.end();
  await ended;
  const took = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const last = JSON.parse(tail.trimEnd().split('\n').at(-1) as string);
  if (!last.done) throw new Error(`the stream was ended: ${JSON.stringify(last)}`);
  const { accepted, rejected: failed } = last;
  return { perSecond: accepted / took, accepted, failed, generatorCpu: (user + system) / 1e6 / took };
}

/** Of bodies that have this mark, in turn and each with a key of its own. */
export function linesWithKeys(bodies: string[], mark: string): () => string {
  const prefix = randomBytes(4).toString('hex');
  const parts = bodies.map((body) => body.split(mark) as [string, string]);
  let n = 0;
  return () => {
    const [before, after] = parts[n % parts.length] as [string, string];
    return `${before}${prefix}-${String(n++).padStart(10, '0')}${after}`;
  };
}
