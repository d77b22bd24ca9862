/** What a stream that nothing comes over takes of the service's memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type ChildProcess } from '../parts/child.ts';
import { amount, row, say } from '../parts/report.ts';
import type { EventsNode } from './node.ts';
import type { Question } from './reader.ts';
import { IDLE_STREAMS } from './sizes.ts';

/** So that what is loaded and compiled on first use is there before. */
const WARM_UP = 100;
/** Keys are looked at meanwhile. */
const SETTLE_MS = 2000;

export async function measureMemory(node: EventsNode, reader: ChildProcess) {
  const put = (question: Question) => ask(reader, { ...question });
  await put({ ask: 'open', wanted: node.ofScopes(WARM_UP) });
  await put({ ask: 'close' });
  await sleep(SETTLE_MS);
  const before = (await node.usage()).rss;
  await put({ ask: 'open', wanted: node.ofScopes(IDLE_STREAMS) });
  await sleep(SETTLE_MS);
  const after = (await node.usage()).rss;
  await put({ ask: 'close' });
  const megabytes = [before, after].map((bytes) => Math.round(bytes / 1024 / 1024));
  say(`memory: ${megabytes[0]} MB, and ${megabytes[1]} MB with ${amount(IDLE_STREAMS)} streams`);
  const each = (after - before) / IDLE_STREAMS / 1024;
  return { rows: [row('memory of a stream that is idle, KB', each, '≤', 50)], memoryMb: megabytes };
}
