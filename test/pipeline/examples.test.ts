/** The worked examples of docs/pipeline.md are what the pipeline says. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { extract } from '../../src/pipeline/extract/extract.ts';
import { readDocument } from '../../src/pipeline/read.ts';
import { reconcile } from '../../src/pipeline/reconcile/reconcile.ts';

const page = readFileSync(new URL('../../docs/pipeline.md', import.meta.url), 'utf8');
const table = page.slice(page.indexOf('<!-- examples -->'), page.indexOf('<!-- end examples -->'));
const rows = [...table.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)]
  .map(([, one = '', other = '', found = '']) => [one, other, found] as const)
  .slice(1);

function claimsIn(cell: string) {
  const text = cell.replaceAll('`', '').replaceAll('⏎ ', '\n');
  const type = text.startsWith('{') ? 'json' : 'txt';
  return extract(readDocument({ name: 'n', type, text }));
}

it('there are some', () => expect(rows.length).toBeGreaterThan(15));

it.each(rows)('%s / %s: %s', (one, other, found) => {
  const [first] = reconcile(claimsIn(one), claimsIn(other));
  expect(first?.reason ?? 'nothing').toBe(found.startsWith('nothing') ? 'nothing' : found);
});
