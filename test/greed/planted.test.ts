/** What is planted for the greed can still be planted. Whether it is caught takes a minute: npm run greed -- --planted. */
import { expect, it } from 'vitest';
import { withoutShares } from '../../greed/planted.ts';
import { enclosed } from '../../storm/ending.ts';
import { copyWith } from '../../storm/planted/copy.ts';

it('the code still reads as it does there', async () => {
  await expect(enclosed(async () => copyWith(process.cwd(), withoutShares))).resolves.toBeTruthy();
});
