/** A pipeline that does what the document says, as bad documents do to a real one. */
import { inThread } from '../../../src/runtime/thread.ts';

function obey({ text }: { text: string }) {
  const [command, argument] = text.split(' ');
  if (command === 'throw') throw new Error(argument ?? 'it threw');
  if (command === 'hang') for (;;);
  if (command === 'exit') process.exit(Number(argument ?? 1));
  if (command === 'eat') {
    const eaten: number[][] = [];
    for (;;) eaten.push(Array.from({ length: 100_000 }, Math.random));
  }
  if (command === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(argument));
  return { claims: JSON.stringify({ text }), count: 1, keys: [], groups: [], values: [], warnings: [] };
}

export default inThread({ read: obey, decode: () => null, compare: () => [] });
