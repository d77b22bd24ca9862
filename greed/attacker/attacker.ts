/** The attacker as the tool sees it: set on, and called off. */
import { ask, endChild, startChild } from '../../bench/parts/child.ts';
import { closeLater } from '../../storm/ending.ts';
import { within } from '../../storm/waiting.ts';
import type { Bites } from '../attack.ts';
import type { Order } from './process.ts';

/** What is in flight when it is called off may take its time-out of 30 s to end. */
const END_MS = 60_000;

/** Sets it on. What is returned calls it off, and says how often it bit. */
export async function setOn(order: Exclude<Order, 'over'>): Promise<() => Promise<Bites>> {
  const { child } = await startChild(new URL('process.ts', import.meta.url));
  closeLater(() => endChild(child));
  child.send(order);
  return async () => {
    const bites = await within(END_MS, 'calling off the attacker', ask<Bites>(child, 'over'));
    await endChild(child);
    return bites;
  };
}
