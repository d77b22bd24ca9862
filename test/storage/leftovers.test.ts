/** Data of root's that nothing leads to any more. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLeftovers, noteLink } from '../../src/storage/embedded/leftovers.ts';
import { quoted } from '../../src/storage/embedded/quoted.ts';
import { later } from '../support/later.ts';
import { newFolder } from '../support/process.ts';

const OTHER = 12_345;
const us = process.getuid?.() ?? 0;

function newParent() {
  const parent = realpathSync(newFolder());
  const links = newFolder();
  const make = (name: string) => {
    const home = join(parent, name);
    const place = join(links, name);
    mkdirSync(join(home, 'data'), { recursive: true });
    symlinkSync(home, place);
    noteLink(parent, home, place);
    return { home, place };
  };
  return { parent, links, make };
}

describe('leftovers', () => {
  it('are the clusters whose link is gone or leads elsewhere, and nothing that is not known', () => {
    const { parent, links, make } = newParent();
    make('cluster-linked');
    const gone = make('cluster-gone');
    const elsewhere = make('cluster-elsewhere');
    const moved = make('cluster-moved');
    mkdirSync(join(parent, 'cluster-unknown'));
    mkdirSync(join(parent, 'postgres-18'));
    expect(findLeftovers(parent, null)).toEqual([]);

    rmSync(gone.place);
    rmSync(elsewhere.place);
    symlinkSync(parent, elsewhere.place);
    // As when the checkout was moved: the next start there notes it.
    rmSync(moved.place);
    symlinkSync(moved.home, join(links, 'new place'));
    noteLink(parent, moved.home, join(links, 'new place'));
    expect(findLeftovers(parent, null)).toEqual([elsewhere, gone]);
    expect(existsSync(gone.home)).toBe(true);
  });

  it('are none where there is no such folder', () => {
    expect(findLeftovers('/nowhere', null)).toEqual([]);
  });

  it('are the same when all of them were moved to another disk and linked', () => {
    const { parent, links, make } = newParent();
    const linked = make('cluster-linked');
    const gone = make('cluster-gone');
    rmSync(gone.place);
    const disk = join(realpathSync(newFolder()), 'disk');
    renameSync(parent, disk);
    symlinkSync(disk, parent);
    expect(findLeftovers(parent, null)).toEqual([{ home: join(disk, 'cluster-gone'), place: gone.place }]);

    // A start there knows the cluster by its real path.
    const place = join(links, 'new place');
    renameSync(linked.place, place);
    noteLink(parent, realpathSync(place), place);
    expect(findLeftovers(parent, null)).toHaveLength(1);
    rmSync(place);
    expect(findLeftovers(parent, null)).toContainEqual({ home: join(disk, 'cluster-linked'), place });
  });

  it('are never the one that is being opened, nor one whose server runs', async () => {
    const { parent, make } = newParent();
    const opened = make('cluster-opened');
    const running = make('cluster-running');
    const server = spawn('sleep', ['600'], { cwd: join(running.home, 'data') });
    later(() => void server.kill());
    await once(server, 'spawn');
    writeFileSync(join(running.home, 'data/postmaster.pid'), `${server.pid}\n`);
    for (const { place } of [opened, running]) rmSync(place);
    expect(findLeftovers(parent, opened.home)).toEqual([]);
    expect(findLeftovers(parent, null)).toEqual([opened]);
  });

  it('are not the notes of clusters that somebody removed: those go, too', () => {
    const { parent, make } = newParent();
    const { home, place } = make('cluster-removed');
    expect(readdirSync(parent)).toEqual(['cluster-removed', 'cluster-removed.linked-from']);
    rmSync(place);
    rmSync(home, { recursive: true });
    expect(findLeftovers(parent, null)).toEqual([]);
    expect(readdirSync(parent)).toEqual([]);
  });
});

describe('a note', () => {
  it('is neither written nor read in the folder of the cluster, which is another account’s', () => {
    const { parent, make } = newParent();
    const secret = join(newFolder(), 'secret');
    writeFileSync(secret, 'a secret');
    const { home, place } = make('cluster-planted');
    rmSync(join(home, 'linked-from'), { force: true });
    symlinkSync(secret, join(home, 'linked-from'));
    noteLink(parent, home, place);
    expect(readFileSync(secret, 'utf8')).toBe('a secret');
    rmSync(place);
    expect(findLeftovers(parent, null)).toEqual([{ home, place }]);
  });

  it('follows no link that is in its place', () => {
    const { parent, make } = newParent();
    const secret = join(newFolder(), 'secret');
    writeFileSync(secret, 'a secret');
    const { home, place } = make('cluster-a');
    for (const name of ['.linked-from', '.linked-from.new']) {
      rmSync(home + name, { force: true });
      symlinkSync(secret, home + name);
    }
    rmSync(place);
    expect(findLeftovers(parent, null)).toEqual([]);
    noteLink(parent, home, place);
    expect(readFileSync(secret, 'utf8')).toBe('a secret');
    expect(findLeftovers(parent, null)).toEqual([{ home, place }]);
    expect(readdirSync(parent)).toEqual(['cluster-a', 'cluster-a.linked-from']);
  });

  it('is neither written nor believed where another account can write', () => {
    const { parent, make } = newParent();
    const { home, place } = make('cluster-a');
    rmSync(place);
    // Only root can give a folder away.
    for (const owner of us === 0 ? [OTHER, us] : [us]) {
      const mode = owner === us ? 0o777 : 0o755;
      chownSync(parent, owner, process.getgid?.() ?? 0);
      chmodSync(parent, mode);
      expect(findLeftovers(parent, null)).toEqual([]);
      noteLink(parent, home, join(place, 'new place'));
    }
    chmodSync(parent, 0o755);
    expect(findLeftovers(parent, null)).toEqual([{ home, place }]);
  });
});

it.each(['/var/lib/docket/cluster-a', '/a folder/b', "/it's $HOME; `id`", '/"\\'])(
  'a path is one word to a shell: %s',
  (path) => {
    expect(spawnSync('sh', ['-c', `printf '<%s>' ${quoted(path)}`], { encoding: 'utf8' }).stdout).toBe(`<${path}>`);
  },
);
