/** What is said to those whose document could not be stored, or of which nobody knows. */
import { AppError, maybeStored } from '../../errors.ts';

export function full(): AppError {
  return new AppError('unavailable', 'Too much of this tenant is waiting to be stored; try again in a moment.', {
    retryAfterSeconds: 1,
    reason: 'tenant_full',
  });
}

export function ending(): AppError {
  return new AppError('unavailable', 'This process is ending, and nothing was stored; try again.', {
    retryAfterSeconds: 1,
    reason: 'ending',
  });
}

export function late(): AppError {
  return new AppError('unavailable', 'The database does not answer right now, and nothing was stored; try again.', {
    retryAfterSeconds: 5,
    reason: 'late',
  });
}

export const unknown = () => maybeStored('late');

export function toOutcome(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal', 'An unexpected error; it was logged under this request_id.', { cause: error });
}
