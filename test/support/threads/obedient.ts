/** A pipeline that does what the document says, as bad documents do to a real one. */
import { existsSync } from 'node:fs';
import { type Found, inThread } from '../../../src/runtime/thread.ts';

function obey({ text }: { text: string }) {
  const [command, argument] = text.split(' ');
  if (command === 'throw') throw new Error(argument ?? 'it threw');
  if (command === 'hang') for (;;);
  if (command === 'later')
    setTimeout(() => {
      throw new Error('it threw later');
    });
  if (command === 'exit') process.exit(Number(argument ?? 1));
  if (command === 'eat') {
    const eaten: number[][] = [];
    for (;;) eaten.push(new Array(1_000_000).fill(0));
  }
  if (command === 'wait') sleep(Number(argument));
  if (command === 'hold') while (existsSync(argument as string)) sleep(5);
  // What Postgres refuses: when it is stored, or when two such documents are held against each other.
  const warnings = command === 'refuse' ? ['\0'] : [];
  const keys = command === 'accuse' ? [1] : [];
  return {
    claims: JSON.stringify({ text }),
    pieces: null,
    count: 1,
    keys,
    groups: [],
    values: [],
    labels: [],
    sketch: null,
    warnings,
  };
}

const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function accuse(_own: null, others: null[]): Found[] {
  const side = { sentence: '', span: { start: 0, end: 0 }, group: 0, value: 0 };
  const words = { subject: '', attribute: '', severity: 'low' as const, reason: '\ud83d', swapped: '\ud83d' };
  return others.map((_, other) => ({ other, ...words, own: side, others: side }));
}

export default inThread({
  read: (document) => ({ reading: obey(document), claims: null }),
  decode: () => null,
  compare: accuse,
});
