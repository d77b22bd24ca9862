/** The attacker's process, which gives way to all others: a real one would have a machine of its own. */
import { setPriority } from 'node:os';
import type { Bites, Target } from '../attack.ts';
import { attacks } from '../attacks/all.ts';
import { type Ordinary, postOrdinarily } from './ordinary.ts';

export type Order = { attack: string; part: string; target: Target } | { ordinary: Ordinary } | 'over';

/** The lowest: the threads of the service that read documents have 10. */
const PRIORITY = 19;

let isOver = false;
let striking: Promise<Bites> = Promise.resolve({});

function strike(order: Exclude<Order, 'over'>): Promise<Bites> {
  if ('ordinary' in order) return postOrdinarily(order.ordinary, () => isOver);
  const part = attacks.find(({ name }) => name === order.attack)?.parts.find(({ name }) => name === order.part);
  return part?.strike?.(order.target, () => isOver) ?? Promise.resolve({});
}

setPriority(PRIORITY);
process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  if (order !== 'over') {
    striking = strike(order);
    return;
  }
  isOver = true;
  process.send?.(await striking);
});
process.send?.('ready');
