/** What a stream tries again, and what it does not, since it might be stored twice. */
import { expect, it } from 'vitest';
import type { Acceptance, Submission } from '../../../src/domain/accept/submission.ts';
import { AppError, maybeStored } from '../../../src/errors.ts';
import { Storing } from '../../../src/http/ingest-stream/storing.ts';
import { newSubmission } from '../../support/submission.ts';
import { until } from '../../support/until.ts';

const away = () => new AppError('unavailable', 'The database does not answer right now.', { reason: 'postgres' });
const acceptance: Acceptance = {
  document: { scope_id: 's', document_id: 'd', version: 1, seq: 0, name: 'n', type: 'txt', state: 'queued' },
  replayed: false,
};

/** What becomes of a line that fails once, and how often it was handed over. */
async function outcomeOf(submission: Submission, failure: AppError): Promise<[string, number]> {
  let tries = 0;
  let outcome = '';
  const storing = new Storing({
    accepter: {
      accept: () => (++tries === 1 ? Promise.reject(failure) : Promise.resolve(acceptance)),
      isFull: () => false,
      isAlone: () => true,
    },
    onStored: () => {
      outcome = 'stored';
    },
    onRefused: () => {
      outcome = 'refused';
    },
    onHopeless: () => {
      outcome = 'hopeless';
    },
  });
  storing.add({ number: 1, bytes: 1, outcome: null }, submission);
  await until(
    () => outcome,
    (seen) => seen !== '',
  );
  expect(storing.inFlight).toBe(0);
  return [outcome, tries];
}

const nameless = newSubmission('tenant', 's');
const named = newSubmission('tenant', 's', { idempotencyKey: 'k' });

it.each([
  ['a line without a name that may be stored is left', nameless, maybeStored('postgres'), ['hopeless', 1]],
  ['one without a name that was not stored is tried again', nameless, away(), ['stored', 2]],
  ['one with a name is tried again, stored or not', named, maybeStored('late'), ['stored', 2]],
])('%s', async (_what, submission, failure, expected) => {
  expect(await outcomeOf(submission, failure)).toEqual(expected);
});
