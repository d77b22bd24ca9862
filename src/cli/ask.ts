/** Asks a person at a terminal for something that was not given otherwise; a key is not shown while it is typed. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartError } from '../errors.ts';

/** Whether there is somebody to ask: a script has to give everything beforehand. */
export const canAsk = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Ctrl-C at the question. */
export class Interrupted extends Error {}

/** What came together with an answer, as when two lines are pasted: whole lines, and what was begun of one. It is for the next question. */
const ahead = { lines: [] as string[], begun: '' };

export async function ask(question: string, { isHidden }: { isHidden: boolean }): Promise<string> {
  const pasted = ahead.lines.shift();
  if (pasted !== undefined) {
    process.stderr.write(`${question}${isHidden ? '' : pasted}\n`);
    return pasted.trim();
  }
  let isAnswered = false;
  const output = new Writable({
    write(piece, _encoding, done) {
      // What comes after the answer may be a key, and belongs to a question that says whether it is shown.
      if (!isHidden && !isAnswered) process.stderr.write(piece);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // Only now is nothing shown of what is typed. To stderr, since stdout may go to a file.
  process.stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    reader.on('line', (text) => {
      if (isAnswered) ahead.lines.push(text);
      else resolve(text.trim());
      isAnswered = true;
    });
    reader.once('SIGINT', () => reject(new Interrupted()));
    reader.once('close', () => reject(new StartError('nothing was given')));
    if (ahead.begun) reader.write(ahead.begun);
    ahead.begun = '';
  }).finally(() => {
    if (isAnswered) ahead.begun = reader.line;
    reader.close();
    if (isHidden) process.stderr.write('\n');
  });
}
