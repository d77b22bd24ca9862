/** A client for Docket: see README.md. */
export type * from './api-types.ts';
export { Docket, type DocketOptions } from './docket.ts';
export {
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  DocketError,
  ForbiddenError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
  WaitTimeoutError,
} from './errors.ts';
export type { DocketEvent, EventsOptions, GapEvent } from './events.ts';
export type {
  ExportClaim,
  ExportContradiction,
  ExportCursor,
  ExportDocument,
  ExportEnd,
  ExportFact,
  ExportLine,
  ExportOptions,
  ExportPart,
} from './export.ts';
export type { DocumentLine, IngestManyOptions, LineAnswer } from './ingest-many.ts';
export type { Listing } from './listing.ts';
export type { CallOptions } from './transport.ts';
export type { WaitOptions } from './wait.ts';
