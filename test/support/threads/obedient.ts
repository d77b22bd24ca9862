/** A pipeline that does what the document says, as bad documents do to a real one. */
import { existsSync } from 'node:fs';
import { inThread } from '../../../src/runtime/thread.ts';

function obey({ text }: { text: string }) {
  const [command, argument] = text.split(' ');
  if (command === 'throw') throw new Error(argument ?? 'it threw');
  if (command === 'hang') for (;;);
  if (command === 'exit') process.exit(Number(argument ?? 1));
  if (command === 'eat') {
    const eaten: number[][] = [];
    for (;;) eaten.push(new Array(1_000_000).fill(0));
  }
  if (command === 'wait') sleep(Number(argument));
  if (command === 'hold') while (existsSync(argument as string)) sleep(5);
  return { claims: JSON.stringify({ text }), count: 1, keys: [], groups: [], values: [], warnings: [] };
}

const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

export default inThread({ read: obey, decode: () => null, compare: () => [] });
