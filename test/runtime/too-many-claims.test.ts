import { expect, it } from 'vitest';
import { pipeline } from '../../src/runtime/pipeline.ts';

const warningsOf = (rows: number) => {
  const lines = Array.from({ length: rows }, (_, row) => `Pump ${row},${row + 3},${7 * row + 1}`);
  const text = ['name,weight,height', ...lines].join('\n');
  return pipeline.read({ name: 'pumps.csv', type: 'csv', text }).reading.warnings;
};

it('says of a document that claims as much as is kept that the rest is left out', () => {
  expect(warningsOf(499)).toEqual([]);
  expect(warningsOf(600)).toEqual([expect.stringContaining('No more than 1000 claims')]);
});
