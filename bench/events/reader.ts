/** Reads streams, and posts what is to come over them: one process, so that both are timed by one clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openLoop } from '../parts/generator.ts';
import type { Wanted } from './node.ts';
import { OpenStreams } from './streams.ts';

export type Question =
  | { ask: 'open'; wanted: Wanted[] }
  | { ask: 'close' }
  | { ask: 'look' }
  | { ask: 'post'; perSecond: number; seconds: number; copies: number };

/** What the reader has used and seen so far. */
export interface Look {
  cpuS: number;
  cut: number;
  position: number;
}

export interface Delivery {
  /** From the answer to the post, which is the commit as a client sees it, to the arrival, in ms. */
  p50: number;
  p99: number;
  /** From when the post was due. */
  sincePostP99: number;
  /** Events, those of the warm-up too. */
  sent: number;
  failed: number;
  generatorCpu: number;
}

/** What has not come after such a silence does not come. */
const SILENCE_MS = 500;

const [port, ...tenants] = process.argv.slice(2) as [string, ...string[]];
const streams = new OpenStreams(Number(port));

async function answer(question: Question): Promise<Delivery | Look> {
  if (question.ask === 'post') return post(question);
  if (question.ask === 'open') await streams.open(question.wanted);
  if (question.ask === 'close') await streams.close();
  const { user, system } = process.cpuUsage();
  return { cpuS: (user + system) / 1e6, cut: streams.cut, position: streams.position };
}

async function post({ perSecond, seconds, copies }: Question & { ask: 'post' }): Promise<Delivery> {
  const posted = new Map<string, { dueAt: number; answeredAt: number }>();
  const arrivals: { documentId: string; at: number }[] = [];
  streams.onDocument = (documentId) => void arrivals.push({ documentId, at: performance.now() });
  const { sent, failed, generatorCpu } = await openLoop(Number(port), tenants, perSecond, seconds, (text, dueAt) => {
    const documentId = /"document_id":"([^"]+)"/.exec(text)?.[1] as string;
    posted.set(documentId, { dueAt, answeredAt: performance.now() });
  });
  while (performance.now() - (arrivals.at(-1)?.at ?? 0) < SILENCE_MS) await sleep(SILENCE_MS / 10);
  streams.onDocument = null;

  const counted = arrivals.flatMap(({ documentId, at }) => {
    const times = posted.get(documentId);
    return times ? [{ sinceAnswer: at - times.answeredAt, sincePost: at - times.dueAt }] : [];
  });
  const sinceAnswer = counted.map((delivery) => delivery.sinceAnswer).sort((a, b) => a - b);
  const sincePost = counted.map((delivery) => delivery.sincePost).sort((a, b) => a - b);
  const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    p50: at(sinceAnswer, 0.5),
    p99: at(sinceAnswer, 0.99),
    sincePostP99: at(sincePost, 0.99),
    sent,
    // An event that did not come to each who should have it, or came twice, has failed as much as a request.
    failed: failed + Math.abs(posted.size * copies - counted.length),
    generatorCpu,
  };
}

process.on('message', (question: Question) => void answer(question).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());
process.send?.('ready');
