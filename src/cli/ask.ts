/** Asks a person at a terminal for something that was not given otherwise; a key is not shown while it is typed. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartError } from '../errors.ts';

/** Whether there is somebody to ask: a script has to give everything beforehand. */
export const canAsk = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Ctrl-C at the question. */
export class Interrupted extends Error {}

export function ask(question: string, { isHidden }: { isHidden: boolean }): Promise<string> {
  const output = new Writable({
    write(piece, _encoding, done) {
      if (!isHidden) process.stderr.write(piece);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // Only now is nothing shown of what is typed. To stderr, since stdout may go to a file.
  process.stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    reader.once('line', (text) => resolve(text.trim()));
    reader.once('SIGINT', () => reject(new Interrupted()));
    reader.once('close', () => reject(new StartError('nothing was given')));
  }).finally(() => {
    reader.close();
    if (isHidden) process.stderr.write('\n');
  });
}
