/** What goes wrong, by the code that the service gives it, and what keeps an answer from coming at all. */
import type { ErrorCode, FieldError, Problem } from './api-types.ts';

/** What the client itself finds: nobody answers, what answers is not Docket, time is up, or an export is not what was sent. */
export type ClientErrorCode = 'connection_failed' | 'unexpected_answer' | 'wait_timeout' | 'export_damaged';

export interface DocketErrorOptions {
  status?: number;
  retryAfterMs?: number | null;
  problem?: Problem | null;
  cause?: unknown;
}

export class DocketError extends Error {
  /** Stable: program against this. */
  readonly code: ErrorCode | ClientErrorCode;
  /** Of the answer; 0 where there was none. */
  readonly status: number;
  /** When the service asks to be tried again; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** The answer as it came; null where there was none, or where it was not the service's. */
  readonly problem: Problem | null;
  /** How often it was tried. */
  attempts = 1;

  constructor(code: ErrorCode | ClientErrorCode, message: string, options: DocketErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = options.status ?? 0;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.problem = options.problem ?? null;
  }
}

/** `validation_failed`: what was sent does not fit the contract. */
export class ValidationError extends DocketError {
  get errors(): FieldError[] {
    return this.problem?.errors ?? [];
  }
}
/** `unauthorized`: there is no key, or none that is good. */
export class UnauthorizedError extends DocketError {}
/** `forbidden`: the key may not do that. */
export class ForbiddenError extends DocketError {}
export class NotFoundError extends DocketError {}
/** `conflict`: it does not fit the state that things are in. */
export class ConflictError extends DocketError {}
/** `too_many_requests`, after all attempts. */
export class TooManyRequestsError extends DocketError {}
/** `unavailable`, after all attempts. */
export class UnavailableError extends DocketError {}
/** `connection_failed`, after all attempts: nobody answers, or an answer breaks off. */
export class ConnectionError extends DocketError {}
/** `wait_timeout`: what was waited for was not done in time. It goes on all the same. */
export class WaitTimeoutError extends DocketError {}

type ErrorClass = new (...args: ConstructorParameters<typeof DocketError>) => DocketError;

const classes: Partial<Record<string, ErrorClass>> = {
  validation_failed: ValidationError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  conflict: ConflictError,
  too_many_requests: TooManyRequestsError,
  unavailable: UnavailableError,
};

/** The error that a problem of the service is, wherever it came: as an answer, or in a line of one, which has no headers. */
export function problemError(problem: Problem, ofHeader: number | null = null): DocketError {
  const { code, detail, status, retry_after: seconds } = problem;
  const retryAfterMs = ofHeader ?? (typeof seconds === 'number' ? 1000 * seconds : null);
  return new (classes[code] ?? DocketError)(code as ErrorCode, detail, { status, retryAfterMs, problem });
}

/** Of an answer that is no success. */
export async function answerError(response: Response): Promise<DocketError> {
  const { status, headers, url } = response;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const body: unknown = await response.json().catch(() => null);
  if (isProblem(body)) return problemError({ ...body, status }, retryAfterMs);
  // A health answer says why, and a proxy may say it in its own way.
  if (status === 503) return new UnavailableError('unavailable', detailOf(body), { status, retryAfterMs });
  const what = response.type === 'opaqueredirect' || (status >= 300 && status < 400) ? 'a redirect' : status;
  const message = `${url} answered ${what}, and not as Docket does`;
  return new DocketError('unexpected_answer', message, { status, retryAfterMs });
}

function detailOf(body: unknown): string {
  const { detail } = (body ?? {}) as { detail?: unknown };
  return typeof detail === 'string' ? detail : 'The service cannot answer right now.';
}

export const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && typeof body.code === 'string';

/** In seconds, or as a date; null where it says nothing that can be read. */
export function readRetryAfter(value: string | null, now = Date.now()): number | null {
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
