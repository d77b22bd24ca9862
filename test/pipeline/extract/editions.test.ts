import { describe, expect, it } from 'vitest';
import { extract } from '../../../src/pipeline/extract/extract.ts';
import { readDocument } from '../../../src/pipeline/read.ts';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';

const found = (
  one: string,
  other: string,
  type = 'txt',
  texts = ['Acme has 90 employees.', 'Acme has 120 employees.'],
) => {
  const [a, b] = [one, other].map((name, at) => extract(readDocument({ name, type, text: texts[at] as string })));
  return reconcile(a as ReturnType<typeof extract>, b as ReturnType<typeof extract>).length;
};

describe('documents whose names differ only in an edition', () => {
  it.each([
    ['a version', 'docs/2.10/setup.md', 'docs/2.14/setup.md'],
    ['a version with its letter', 'handbook-v2.md', 'handbook-v3.md'],
    ['a year', '2023/prices.csv', '2024/prices.csv'],
    ['a date', 'minutes-2024-05-01.md', 'minutes-2024-05-08.md'],
    ['a quarter', 'calls/ACME_q3_2021.txt', 'calls/ACME_q4_2021.txt'],
    ['a version that begins with a year', 'app-2024.1.md', 'app-2024.2.md'],
    ['a month', 'report-may-2024.txt', 'report-june-2024.txt'],
    ['a fiscal year', 'plan-fy23.md', 'plan-fy24.md'],
    ['a revision', 'plan-rev2.md', 'plan-rev3.md'],
    ['a version in words', 'Manual, version 2', 'Manual, version 3'],
    ['a version that is a date', 'spec version 2024-05-01.txt', 'spec version 2024-06-01.txt'],
    ['a date behind a letter', 'spec-v2024-05-01.txt', 'spec-v2024-06-01.txt'],
    ['a year behind a word', 'Manual version 2024', 'Manual version 2025'],
    ['the number of a package', 'acme 1.2-1.txt', 'acme 1.2-2.txt'],
    ['a fiscal year of another century', 'plan fy 1999', 'plan fy 2099'],
    ['a season', 'fees-2020-21.md', 'fees-2021-22.md'],
    ['a season over the turn of a century', 'fees-1999-00.md', 'fees-2000-01.md'],
    ['the second part of a version that begins with a year', 'app-2024.17.md', 'app-2024.18.md'],
    ['the third part of a version that begins with a year', 'app-2024.10.3.md', 'app-2024.10.4.md'],
  ])('are kept apart by %s', (_, one, other) => {
    expect(found(one, other)).toBe(0);
  });

  it.each([
    ['names that differ in a plain number', 'notes-1.txt', 'notes-2.txt'],
    ['names that differ in a word, too', 'acme-2023.txt', 'staff-2024.txt'],
    ['a year and a month of it', 'policy-2024.md', 'policy-2024-05.md'],
    ['one date in two forms', 'minutes-20240501.md', 'minutes-2024-05-01.md'],
    ['running numbers', 'doc-1903', 'doc-1915'],
    ['running numbers of six digits', 'ticket-200101', 'ticket-200102'],
    ['running numbers of a year', 'invoice-2024-17.txt', 'invoice-2024-18.txt'],
    ['one version in two forms', 'offer-v1.md', 'offer-v1.0.md'],
    ['one date with a word and without', 'spec version 2024-05-01.txt', 'spec-20240501.txt'],
    ['a version and the package of it', 'acme 1.2.txt', 'acme 1.2-1.txt'],
    ['one fiscal year in two forms', 'plan fy 2023.md', 'plan-fy23.md'],
    ['one revision in two forms', 'plan-rev.2.md', 'plan-rev2.md'],
    ['one version with its word and its letter', 'Manual version 2.0', 'manual-v2'],
    ['a version and a later one of it', 'docs-2.1.md', 'docs-2.1.3.md'],
    ['what may be a name', 'interview-may.txt', 'interview-april.txt'],
    ['numbers that are no years', 'memo 2041.txt', 'memo 2042.txt'],
    ['numbers of sections', '1.2 fees.txt', '1.3 fees.txt'],
    ['one edition', 'acme-2023.txt', 'acme-2023.txt'],
    ['one name without an edition', 'acme.txt', 'acme-2024.txt'],
    ['a year within a word', 'a2023b.txt', 'a2024b.txt'],
    ['names that are like a month', 'marketing.txt', 'martin.txt'],
  ])('are held against each other with %s', (_, one, other) => {
    expect(found(one, other)).toBe(1);
  });

  it('are kept apart by a year that their texts have, too', () => {
    const texts = ['Acme has 90 plants. See list 2023.', 'Acme has 120 plants. See list 2024.'];
    expect(found('policy_2023.md', 'policy-2024.md', 'txt', texts)).toBe(0);
    expect(found('a.md', 'b.md', 'txt', texts)).toBe(1);
  });

  it('are held against a copy that has another name', () => {
    const minutes = (not: string) =>
      `# Meeting of the board\n\nThe issue was ${not}corrected in the last version.\n\nThe board thanked all.\n`;
    expect(found('minutes/2021.md', 'copy', 'md', [minutes(''), minutes('not ')])).toBe(1);
  });

  it('are kept apart with their records', () => {
    const tables = ['player,games,goals\nHolm,30,4\nBerg,12,0', 'player,games,goals\nHolm,30,5\nBerg,12,0'];
    expect(found('2003/goals.csv', '2004/goals.csv', 'csv', tables)).toBe(0);
    expect(found('a/goals.csv', 'b/goals.csv', 'csv', tables)).toBe(1);
  });
});
