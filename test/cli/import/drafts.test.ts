/** What becomes of files and lines: documents with ids from paths and provenance from content, or a reason. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Draft, idOf } from '../../../src/cli/import/draft.ts';
import { draftsOf } from '../../../src/cli/import/drafts.ts';
import { readLines } from '../../../src/cli/import/lines.ts';
import { walk } from '../../../src/cli/import/walk.ts';
import { newFolderOf } from '../../support/command.ts';

const sha256 = (bytes: string | Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const never = new AbortController().signal;

async function read(
  files: Record<string, string | Buffer>,
  between = (_folder: string) => {},
  namedIn = (folder: string) => [folder],
) {
  const folder = newFolderOf(files);
  const failed: string[] = [];
  const fail = (name: string, why: string) => void failed.push(`${name}: ${why}`);
  const found = await walk(namedIn(folder), fail, never);
  between(folder);
  let passed = 0;
  const options = {
    scopeId: 's',
    leftOut: found.leftOut,
    fail,
    passed: (bytes: number) => (passed += bytes),
    signal: never,
  };
  const drafts: Draft[] = [];
  for await (const draft of draftsOf(found.files, options)) drafts.push(draft);
  const bytes = drafts.reduce((sum, draft) => sum + draft.bytes, passed);
  return {
    drafts,
    documents: drafts.map(({ document }) => document),
    failed,
    leftOut: found.leftOut.lines(),
    total: found.files.reduce((sum, file) => sum + file.bytes, 0),
    bytes,
  };
}

describe('a file', () => {
  it('has its path as id and name, its ending as type, and its SHA-256 as provenance', async () => {
    const bytes = Buffer.from('\uFEFF# Lease 🏠\r\n');
    expect((await read({ 'lease 12.md': bytes })).documents).toEqual([
      {
        scope_id: 's',
        document_id: 'lease 12.md',
        name: 'lease 12.md',
        type: 'md',
        text: '\uFEFF# Lease 🏠\r\n',
        provenance: sha256(bytes),
      },
    ]);
  });

  it('that is too large, not UTF-8, binary or gone is named, one that is empty left out, and the rest goes on', async () => {
    const seen = await read(
      {
        'a-just.txt': '🏠'.repeat(100_000),
        'b-over.txt': 'x'.repeat(100_001),
        'c-huge.txt': 'x'.repeat(400_001),
        'd-latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
        'e-binary.txt': 'a\0b',
        'f-empty.txt': '',
        'g-blank.txt': ' \n\uFEFF\n',
        'h-gone.txt': 'gone',
        'i-grew.txt': 'short',
        'j-last.txt': 'ok',
      },
      (folder) => {
        rmSync(join(folder, 'h-gone.txt'));
        appendFileSync(join(folder, 'i-grew.txt'), ' and longer');
      },
    );
    expect(seen.documents.map(({ document_id }) => document_id)).toEqual(['a-just.txt', 'j-last.txt']);
    const large = 'it has more than 100,000 characters, which no document may have';
    expect(seen.failed).toEqual([
      `b-over.txt: ${large}`,
      `c-huge.txt: ${large}`,
      'd-latin.txt: it is not UTF-8',
      'e-binary.txt: it has a zero byte in it, so it is no text',
      'h-gone.txt: it is not there',
      'i-grew.txt: it grew while it was read',
    ]);
    expect(seen.leftOut).toEqual(['left out, empty: 2 (f-empty.txt, g-blank.txt)']);
    // What is shown of the way comes to an end.
    expect(seen.bytes).toBe(seen.total);
  });

  it('that is no file any more when it is read is named; no link is followed, and no pipe waited for', async () => {
    const elsewhere = newFolderOf({ secret: '{"text":"secret"}' });
    const names = ['folder', 'link', 'pipe'].flatMap((what) => [`${what}.jsonl`, `${what}.txt`]);
    const seen = await read({ 'a.txt': 'ok', ...Object.fromEntries(names.map((name) => [name, 'x'])) }, (folder) => {
      for (const name of names) {
        const path = join(folder, name);
        rmSync(path);
        if (name.startsWith('folder')) mkdirSync(path);
        else if (name.startsWith('link')) symlinkSync(join(elsewhere, 'secret'), path);
        else execFileSync('mkfifo', [path]);
      }
    });
    expect(seen.documents.map(({ text }) => text)).toEqual(['ok']);
    expect(seen.failed).toEqual(names.map((name) => `${name}: it is no longer a file`));
    expect(seen.bytes).toBe(seen.total);
  });

  it('that was named may be a link', async () => {
    const seen = await read(
      { 'a.txt': 'It rains.', 'b.jsonl': '{"text":"It snows."}' },
      () => {},
      (folder) =>
        ['a.txt', 'b.jsonl'].map((name) => {
          const link = join(folder, `link-${name}`);
          symlinkSync(name, link);
          return link;
        }),
    );
    expect([seen.documents.map(({ text }) => text), seen.failed]).toEqual([['It rains.', 'It snows.'], []]);
  });

  it('keeps its order among many that are read at once', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `${String(n).padStart(2, '0')}.txt`);
    // The first are the slowest to read.
    const files = Object.fromEntries(names.map((name, n) => [name, 'x'.repeat(90_000 / (n + 1))]));
    expect((await read(files)).documents.map(({ document_id }) => document_id)).toEqual(names);
  });

  it('has an id of 200 characters at most, which differs where the path does', () => {
    expect(idOf('🏠'.repeat(200))).toBe('🏠'.repeat(200));
    const [one, two] = ['a', 'b'].map((first) => idOf(`${first}/${'folder/'.repeat(40)}lease.txt`));
    expect([[...String(one)].length, [...String(two)].length]).toEqual([200, 200]);
    expect(one).not.toBe(two);
    expect(one).toMatch(/^[0-9a-f]{16}….*folder\/lease\.txt$/);
  });
});

describe('a line', () => {
  const lines = (...values: unknown[]) => read({ 'a.jsonl': values.map((value) => JSON.stringify(value)).join('\n') });

  it('with the fields of a document is that document; what it lacks comes of its place', async () => {
    const given = { name: 'Lease', type: 'md', document_id: 'lease-12', source: 'https://example.org' };
    const { documents } = await lines({ text: 'One.' }, { text: 'Two.', scope_id: 's', ...given, provenance: 'box 4' });
    expect(documents).toEqual([
      {
        scope_id: 's',
        document_id: 'a.jsonl:1',
        name: 'a.jsonl:1',
        type: 'txt',
        text: 'One.',
        provenance: sha256('One.'),
      },
      { scope_id: 's', text: 'Two.', ...given, provenance: 'box 4' },
    ]);
  });

  it.each([{ text: 'x', author: 'me' }, { title: 'x' }, { text: 4 }, ['x'], 'x', 4, { kind: 'document', n: 1 }])(
    '%j is a document as it stands, read as JSON',
    async (value) => {
      const text = JSON.stringify(value);
      expect((await lines(value)).documents).toEqual([
        { scope_id: 's', document_id: 'a.jsonl:1', name: 'a.jsonl:1', type: 'json', text, provenance: sha256(text) },
      ]);
    },
  );

  it('of an export is taken by its known fields, into this scope, also an entry without text; other kinds are left out', async () => {
    const row = { version: 3, seq: 4, name: 'n', type: 'txt', source: null, provenance: 'p', state: 'processed' };
    const old = { kind: 'document', scope_id: 'old', ...row, idempotency_key: 'of another request' };
    const { documents, leftOut, failed } = await lines(
      { ...old, document_id: 'd', text: 'Text.' },
      { ...old, document_id: 'entry', text: null },
      { ...old, document_id: 'without' },
      { kind: 'claim', claim_id: 'clm_1' },
      { kind: 'cursor', cursor: 'c' },
      { kind: 'end', counts: {} },
    );
    expect(documents).toEqual([
      { scope_id: 's', document_id: 'd', name: 'n', type: 'txt', text: 'Text.', provenance: 'p' },
      { scope_id: 's', document_id: 'entry', name: 'n', type: 'txt', text: null, provenance: 'p' },
    ]);
    expect(leftOut.sort()).toEqual([
      'left out, lines of kind claim: 1 (a.jsonl:4)',
      'left out, lines of kind cursor: 1 (a.jsonl:5)',
      'left out, lines of kind end: 1 (a.jsonl:6)',
    ]);
    expect(failed).toEqual(['a.jsonl:3: it has no text: export with texts (--include documents,texts)']);
  });

  it('that is wrong is named by its number, and costs that line alone', async () => {
    const long = `{"text":"${'x'.repeat(2 * 1024 * 1024)}"}`;
    const seen = await read({
      'a.jsonl': Buffer.concat([
        Buffer.from('\uFEFF{"text":"first"}\r\n\n{"text":\n'),
        Buffer.from([0x22, 0xff, 0x22, 0x0a]),
        Buffer.from(`${long}\n{"text":"x","scope_id":"other"}\n{"text":""}\n{"text":"a\\u0000"}\n{"text":"last"}`),
      ]),
    });
    expect(seen.documents.map(({ document_id, text }) => [document_id, text])).toEqual([
      ['a.jsonl:1', 'first'],
      ['a.jsonl:9', 'last'],
    ]);
    expect(seen.failed).toEqual([
      'a.jsonl:3: it is not JSON',
      'a.jsonl:4: it is not UTF-8',
      'a.jsonl:5: it is longer than 2 MB',
      'a.jsonl:6: it names another scope, other',
      'a.jsonl:8: it has a zero byte in it, so it is no text',
    ]);
    expect(seen.leftOut).toEqual(['left out, empty: 1 (a.jsonl:7)']);
    expect(seen.bytes).toBe(seen.total);
  });
});

describe('the lines of a file', () => {
  const linesOf = async (content: string, most?: number) => {
    const file = await open(join(newFolderOf({ f: content }), 'f'));
    const seen = [];
    for await (const { line, bytes, length } of readLines(file, most)) seen.push([line, bytes && `${bytes}`, length]);
    return seen;
  };

  it.each([
    ['', []],
    ['a', [[1, 'a', 1]]],
    ['a\n', [[1, 'a', 2]]],
    [
      '\n\nb',
      [
        [1, '', 1],
        [2, '', 1],
        [3, 'b', 1],
      ],
    ],
  ])('of %j', async (content, lines) => expect(await linesOf(content)).toEqual(lines));

  it('are whole across the pieces in which a file is read, and nothing is kept of one that is too long', async () => {
    const [long, short] = ['é'.repeat(60_000), 'b'.repeat(100_000)];
    expect(await linesOf(`${long}\n${short}\nc`, 110_000)).toEqual([
      [1, null, 120_001],
      [2, short, 100_001],
      [3, 'c', 1],
    ]);
  });
});
