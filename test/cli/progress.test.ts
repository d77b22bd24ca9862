/** How far a command has come, on a terminal and elsewhere. */
import { expect, it } from 'vitest';
import { showProgress, size } from '../../src/cli/progress.ts';

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

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [999_000, '999 kB'],
  [1.26e6, '1.3 MB'],
  [2.5e9, '2.5 GB'],
])('%d bytes are %s', (bytes, words) => expect(size(bytes)).toBe(words));
