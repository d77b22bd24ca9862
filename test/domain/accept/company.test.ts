/** Whether a tenant posts alone. */
import { expect, it } from 'vitest';
import { Company } from '../../../src/domain/accept/company.ts';
import { until } from '../../support/until.ts';

it('knows of others for a moment, however often one posts meanwhile', async () => {
  const company = new Company();
  expect([company.isAlone('a'), company.isOfOne]).toEqual([true, true]);
  company.note('a');
  expect(company.isOfOne).toBe(true);
  expect([company.isAlone('a'), company.isAlone('b')]).toEqual([true, false]);
  company.note('b');
  expect([company.isAlone('a'), company.isAlone('b'), company.isAlone('c')]).toEqual([false, false, false]);
  for (let n = 0; n < 1000; n++) company.note('a');
  expect([company.isAlone('a'), company.isOfOne]).toEqual([false, false]);
  await until(
    () => {
      company.note('a');
      return company.isAlone('a');
    },
    (isAlone) => isAlone,
  );
  // Who posts now and then is not forgotten so soon.
  expect([company.isAlone('b'), company.isOfOne]).toEqual([false, false]);
});
