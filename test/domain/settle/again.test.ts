/** A document that cannot be read again keeps what is known of it. */
import { expect, it } from 'vitest';
import { decideAgain } from '../../../src/domain/settle/again.ts';

const claimed = { seq: 3, document_id: 'd', version: 1, state: 'processed', waited_ms: 0, claims: 2 } as const;
const given = (error: string) => [{ seq: 3, tried: true, error, retry_ms: null }];

it('keeps its own warnings, and says once that it was passed over', () => {
  const [first] = decideAgain([{ ...claimed, warnings: ['It is not valid JSON.'] }], given('It threw.')).passed;
  expect(first).toMatchObject({ state: 'processed', claims: 2 });
  expect(first?.warnings).toEqual(['It is not valid JSON.', expect.stringMatching(/^It could not .*: It threw\.$/)]);
  const [again] = decideAgain([{ ...claimed, warnings: first?.warnings ?? null }], given('It hung.')).passed;
  expect(again?.warnings).toEqual(['It is not valid JSON.', expect.stringMatching(/^It could not .*: It hung\.$/)]);
});
