/** Turns any error into the one shape that callers see, and says which status each code has. */
import type { Static } from '@sinclair/typebox';
import type { Problem } from '../contract/problem.ts';
import { AppError, type ErrorCode, errorTitles } from '../errors.ts';
import { type AjvComplaint, toFieldErrors } from './validation.ts';

export const errorStatus: Record<ErrorCode, number> = {
  validation_failed: 400,
  malformed_json: 400,
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  // Or 429, 500 or 503, when that is what one of its documents got.
  batch_rejected: 400,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
};

export function toProblem(error: AppError, requestId: string): Static<typeof Problem> {
  return {
    type: `urn:docket:error:${error.code}`,
    title: errorTitles[error.code],
    status: errorStatus[error.code],
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.errors && { errors: error.errors }),
  };
}

/** In the last line of an answer that was begun long ago: no header says any more when to try again. */
export function toLastProblem(error: AppError, requestId: string): Static<typeof Problem> {
  const { retryAfterSeconds } = error;
  return { ...toProblem(error, requestId), ...(retryAfterSeconds && { retry_after: retryAfterSeconds }) };
}

interface FrameworkError {
  code?: string;
  statusCode?: number;
  message?: string;
  validation?: AjvComplaint[];
  validationContext?: string;
}

/** What Fastify and its plugins raise, in our own codes. */
const frameworkErrors: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('payload_too_large', 'The body is larger than this route takes; send less.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError('unsupported_media_type', 'Send the body with Content-Type: application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('bad_request', 'The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: () => new AppError('bad_request', 'The path has a malformed percent-encoding.'),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new AppError('uri_too_long', 'A part of the path is longer than any identifier can be.'),
  FST_ERR_HANDLER_TIMEOUT: () =>
    new AppError('unavailable', 'The answer took too long; try again.', { retryAfterSeconds: 1, reason: 'late' }),
  FST_BEARER_AUTH_MISSING_AUTHORIZATION_HEADER: () => unauthorizedBearer(),
  FST_BEARER_AUTH_INVALID_AUTHORIZATION_HEADER: () => unauthorizedBearer(),
};

function unauthorizedBearer(): AppError {
  return new AppError('unauthorized', 'Send a valid operator key: Authorization: Bearer <key>.');
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode, validation, validationContext } = error as FrameworkError;
  if (validation) {
    const errors = toFieldErrors(validation, validationContext ?? 'request');
    const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
    return new AppError('validation_failed', detail, { errors });
  }
  const known = code && frameworkErrors[code];
  if (known) return known();
  // A client that goes away in the middle of its body, and whatever else the framework blames on the caller.
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', 'The request could not be read.', { cause: error });
  }
  return new AppError('internal', 'An unexpected error; it was logged under this request_id.', { cause: error });
}
