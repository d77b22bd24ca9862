/** How far a command has come, on a terminal and elsewhere. */
import { expect, it } from 'vitest';
import { showProgress } from '../../src/cli/progress.ts';
import { documentsLine, linesLine, size, timeLeft } from '../../src/cli/progress-line.ts';

function shown(isTTY: boolean, columns = 80) {
  let [text, at] = ['', 0];
  const write = (piece: string) => {
    text += piece;
  };
  const progress = showProgress('backup', { isTTY, columns, write }, () => at);
  return {
    progress,
    text: () => text,
    pass: (seconds: number) => {
      at += seconds * 1000;
    },
  };
}

it('on a terminal is one line that is written over, and goes', () => {
  const { progress, text, pass } = shown(true);
  progress.begin('written', 40e6);
  pass(1);
  progress.reached(10e6);
  pass(0.01);
  progress.reached(11e6);
  expect(text()).toBe('\r\x1b[Kbackup: written 10.0 MB of about 40.0 MB (25 %), 10.0 MB/s');
  progress.tell('done');
  progress.end();
  expect(text().endsWith('MB/s\r\x1b[Kbackup: done\n')).toBe(true);
});

it('on a terminal takes away what it did before, though nothing is reached', () => {
  const { progress, text } = shown(true);
  progress.begin('looking', null);
  progress.begin('written', 40e6);
  progress.tell('done');
  expect(text()).toBe('\r\x1b[Kbackup: looking\r\x1b[Kbackup: done\n');
});

it('is no longer than a narrow terminal is wide', () => {
  const { progress, text, pass } = shown(true, 20);
  progress.begin('written', 40e6);
  pass(1);
  progress.reached(10e6);
  expect(text()).toBe('\r\x1b[Kbackup: written 10.');
});

it('elsewhere is a line now and then, without anything that moves a cursor', () => {
  const { progress, text, pass } = shown(false);
  progress.begin('waiting for a checkpoint', null);
  progress.begin('written', 40e6);
  for (let n = 1; n <= 12; n++) {
    pass(1);
    progress.reached(n * 5e6);
  }
  progress.tell('done');
  expect(text().split('\n')).toEqual([
    'backup: waiting for a checkpoint',
    'backup: written 25.0 MB of about 40.0 MB (62 %), 5.0 MB/s',
    // An estimate may have been too low.
    'backup: written 50.0 MB of about 50.0 MB (100 %), 5.0 MB/s',
    'backup: done',
    '',
  ]);
});

it('of documents has a bar on a terminal, and the time that is left', () => {
  const { progress, text, pass } = shown(true, 100);
  progress.begin(
    'sent',
    8000,
    documentsLine(() => 2500),
  );
  pass(0.5);
  progress.reached(2000);
  pass(2.5);
  progress.reached(2000);
  expect(text().split('\r\x1b[K').slice(1)).toEqual([
    'backup: [#####---------------] 25 %, 2,500 documents sent',
    'backup: [#####---------------] 25 %, 2,500 documents sent, 833/s, 9 s left',
  ]);
});

it('of documents has no bar elsewhere', () => {
  const { progress, text, pass } = shown(false);
  progress.begin(
    'sent',
    8000,
    documentsLine(() => 8000),
  );
  pass(10);
  progress.reached(8000);
  expect(text()).toBe('backup: 100 %, 8,000 documents sent, 800/s, 0 s left\n');
});

it('of lines without a known end says how many there are', () => {
  const { progress, text, pass } = shown(false);
  progress.begin(
    'written',
    0,
    linesLine(() => 1234),
  );
  pass(10);
  progress.reached(50e6);
  expect(text()).toBe('backup: 1,234 lines written, 50.0 MB, 5.0 MB/s\n');
});

it.each([
  [0.2, '1 s left'],
  [59.5, '1 min 0 s left'],
  [125, '2 min 5 s left'],
  [3725, '1 h 2 min left'],
])('%d s are %s', (seconds, words) => expect(timeLeft(seconds)).toBe(words));

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [999_000, '999 kB'],
  [1.26e6, '1.3 MB'],
  [2.5e9, '2.5 GB'],
])('%d bytes are %s', (bytes, words) => expect(size(bytes)).toBe(words));
