/** Data of root's that nothing leads to any more. */
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLeftovers, noteLink } from '../../src/storage/embedded/leftovers.ts';
import { newFolder } from '../support/process.ts';

it('are the clusters whose link is gone or leads elsewhere, and nothing that is not known', () => {
  const parent = newFolder();
  const links = newFolder();
  const make = (name: string) => {
    const home = join(parent, name);
    const place = join(links, name);
    mkdirSync(home);
    symlinkSync(home, place);
    noteLink(home, place);
    return { home, place };
  };
  make('cluster-linked');
  const gone = make('cluster-gone');
  const elsewhere = make('cluster-elsewhere');
  const moved = make('cluster-moved');
  mkdirSync(join(parent, 'cluster-unknown'));
  mkdirSync(join(parent, 'postgres-18'));
  expect(findLeftovers(parent)).toEqual([]);

  rmSync(gone.place);
  rmSync(elsewhere.place);
  symlinkSync(parent, elsewhere.place);
  // As when the checkout was moved: the next start there notes it.
  rmSync(moved.place);
  symlinkSync(moved.home, join(links, 'new place'));
  noteLink(moved.home, join(links, 'new place'));
  expect(findLeftovers(parent)).toEqual([elsewhere, gone]);
  expect(existsSync(gone.home)).toBe(true);
});

it('are none where there is no such folder', () => {
  expect(findLeftovers('/nowhere')).toEqual([]);
});
