/** The errors this service raises on purpose. A code is stable and public; what HTTP makes of it is decided in `http`. */

export const errorTitles = {
  validation_failed: 'The request does not fit the contract',
  malformed_json: 'The body is not valid JSON',
  bad_request: 'The request could not be understood',
  unauthorized: 'A valid key is required',
  forbidden: 'This key may not do that',
  not_found: 'Not found',
  method_not_allowed: 'This route does not take that method',
  request_timeout: 'The request took too long to arrive',
  conflict: 'It does not fit the state that things are in',
  payload_too_large: 'The body is too large',
  uri_too_long: 'The address is too long',
  unsupported_media_type: 'The body is not of the type that is taken here',
  batch_rejected: 'None of the documents was accepted',
  idempotency_key_reused: 'The idempotency key belongs to another request',
  too_many_requests: 'This tenant has sent too much',
  headers_too_large: 'The headers are too large',
  internal: 'Something went wrong on our side',
  unavailable: 'The service cannot answer right now',
} as const;

export type ErrorCode = keyof typeof errorTitles;

export interface FieldError {
  /** Where it is: `body/name`, `query/limit`, `headers/x-tenant-api-key`. */
  path: string;
  message: string;
}

/** Why something is unavailable, for those who count it; never shown to the caller, who reads the detail. */
export const unavailableReasons = [
  'postgres',
  'schema',
  'ending',
  'late',
  'tenant_full',
  'bodies',
  'streams',
  'waiters',
  'exports',
  'other',
] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];

/** A limit that was overrun. */
export interface Limit {
  /** As the limits of a tenant are called. */
  name: string;
  /** So much of it there is: each second, if it is `perSecond`, and else at once. */
  quota: number;
  perSecond: boolean;
  /** Of what; requests or documents unless it is said. */
  unit?: 'bytes';
}

export interface AppErrorOptions {
  errors?: FieldError[];
  retryAfterSeconds?: number;
  /** Of `too_many_requests`. */
  limit?: Limit;
  /** Of `unavailable`. */
  reason?: UnavailableReason;
  /** Nobody knows whether what was to be stored is: sent again without a name of its own, it might be stored twice. */
  mayBeStored?: boolean;
  /** Logged, never shown to the caller. */
  cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limit: Limit | undefined;
  readonly reason: UnavailableReason | undefined;
  readonly mayBeStored: boolean;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.limit = options.limit;
    this.reason = options.reason;
    this.mayBeStored = options.mayBeStored ?? false;
  }
}

/** It may well work later: what it needs is away, full or too slow at the moment. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** For who waited for a commit of which nothing was heard. */
export function maybeStored(reason: UnavailableReason): AppError {
  const detail = 'It is not known whether this was stored: send it again with its idempotency_key.';
  return new AppError('unavailable', detail, { retryAfterSeconds: 5, reason, mayBeStored: true });
}

export function invalid(path: string, message: string): AppError {
  return new AppError('validation_failed', `${path} ${message}`, { errors: [{ path, message }] });
}

export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} does not exist`);
}

/** Told apart from a bad key, since operators are told otherwise. */
export class TenantDeleted extends AppError {}

/** A tenant is remembered for a moment after it was deleted. */
export function tenantDeleted(cause?: unknown): AppError {
  return new TenantDeleted('unauthorized', 'The tenant of this request was deleted.', { cause });
}

/** Why the process cannot start, in one line for the person who started it: printed without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
