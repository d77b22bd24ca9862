/** What the service takes and answers under /api. Made by npm run generate from openapi.yaml. Do not edit. */

/** Stable: program against these. */
export type ErrorCode =
  | 'validation_failed'
  | 'bad_request'
  | 'request_timeout'
  | 'internal'
  | 'malformed_json'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'unavailable'
  | 'batch_rejected';

/** None of the documents was accepted */
export interface BatchRejected {
  /** A name for this kind of error */
  type: string;
  title: string;
  status: number;
  /** What happened here, and what to do next */
  detail: string;
  code: 'batch_rejected';
  /** The same as the header X-Request-Id */
  request_id: string;
  /** Seconds to wait, in the last line of an answer; else Retry-After says it */
  retry_after?: number;
  errors?: FieldError[];
  /** One for each document, in order */
  results: BatchResult[];
  accepted: 0;
  rejected: number;
}

export interface BatchResult {
  /** What POST /api/ingest would have answered */
  status: number;
  document?: IngestDocumentResponse;
  error?: Problem;
}

export interface Claim {
  /** The same for as long as the document says the same at the same place, and the rules read it so */
  claim_id: string;
  /** Null where the text does not name it */
  subject: string | null;
  /** What is said of it */
  attribute: string;
  value: ClaimValue;
  /** Whether the document says that it is so, or that it is not */
  polarity: 'affirmed' | 'denied';
  /** How it is said; only facts are held against facts */
  modality: 'fact' | 'plan' | 'hypothesis' | 'question' | 'reported' | 'rule';
  qualifiers: ClaimQualifiers;
  /** In which the document says it; a longer one is shortened */
  sentence: string;
  span: TextSpan | null;
  /**
   * What claims have in common that say something of the same thing, whatever they say; the same in all
   * scopes; null while a document waits to be read again by newer rules
   */
  fact_id: string | null;
  /** Ids of the open contradictions that it is a side of; all claims of a document have at most 40 */
  contradictions: string[];
}

export interface ClaimList {
  document_id: string;
  /** That makes these claims: the newest that is processed */
  version: number;
  /** In order of the text */
  claims: Claim[];
  /** Where the next page goes on; null on the last one */
  next_cursor: string | null;
}

/** What it is limited to, in the stems of words that it is compared by; null where nothing is said */
export interface ClaimQualifiers {
  /** When it holds: a date as in value, or words */
  time: string | null;
  /** Where it holds */
  place: string | null;
  /** Under which condition it holds */
  condition: string | null;
  /** Which figure of several it is, or of which part */
  subset: string | null;
}

export interface ClaimValue {
  /** What it is, and which of the other parts it has */
  type: 'number' | 'money' | 'date' | 'time' | 'boolean' | 'text';
  /** As the document has it; yes or no for a statement as a whole */
  text: string;
  /** Of a number or an amount of money that is exact, in its unit or currency */
  number?: number;
  /** In place of number: at least so much, or more */
  low?: number;
  /** In place of number: at most so much, or less */
  high?: number;
  /**
   * Of a number: %, or the base unit that it was converted to, so that 2.4 km and 2,400 m are alike: m,
   * kg, l, m2, s, B, W, m/s, °C and others. Rates are per base unit: 1/s
   */
  unit?: string;
  /** Of money, as in ISO 4217 */
  currency?: string;
  /**
   * As in ISO 8601: a day, a month (2021-06), a year (2021), a day of every year (--06-12), or a period
   * of these (1998/2004), whose end is .. where it has none
   */
  date?: string;
  /** Of day, or a period (09:00/17:00) */
  time?: string;
  /** Of a statement as a whole it says whether it is so, as polarity does */
  boolean?: boolean;
  /** It is only about so much */
  approximate?: boolean;
}

export interface Contradiction {
  id: string;
  scope_id: ScopeId;
  claim_a: string;
  claim_b: string;
  source_a: string | null;
  source_b: string | null;
  document_ids: string[];
  evidence_a: Evidence | null;
  evidence_b: Evidence | null;
  subject: string | null;
  attribute: string | null;
  severity: Severity;
  status: ContradictionStatus;
  origin: 'detected' | 'reported';
  /** Why the claims cannot both be true */
  reason: string | null;
  /** Why it was resolved or deferred */
  resolution: string | null;
  upholds: 'a' | 'b' | null;
  /** It was decided, and newer rules find it no more: it is kept for the sake of the decision */
  outdated: boolean;
  resolved_by: string | null;
  resolved_at: Timestamp | null;
  created_at: Timestamp;
}

export interface ContradictionList {
  /**
   * With several filters there may be few on a page, or none: the last page is the one whose next_cursor
   * is null
   */
  contradictions: Contradiction[];
  /** Where the next page goes on; null on the last one */
  next_cursor: string | null;
  /** At least so many more are not shown, since others of their documents and facts come first */
  left_out: number;
}

export type ContradictionStatus = 'open' | 'resolved' | 'deferred';

export interface ConvergenceBlocker {
  contradiction_id: string;
  severity: string;
  subject: string | null;
  reason: string | null;
}

export interface ConvergenceDimension {
  score: Share;
  /** What it counts for in the score */
  weight: Share;
  /** What it takes from the score: weight × (1 − score) */
  pressure: Share;
}

/** As of the last point, which is made after each batch and each decision */
export interface ConvergenceDimensions {
  agreement: ConvergenceDimension;
  coverage: ConvergenceDimension;
  stability: ConvergenceDimension;
  corroboration: ConvergenceDimension;
}

export interface ConvergenceGroups {
  /** Things that claims are made about */
  total: number;
  /** Those that two or more documents speak of */
  shared: number;
  /** Those with a contradiction that is open, or left out */
  disputed: number;
}

/** `empty`: no claims yet */
export type ConvergenceStatus = 'empty' | 'converging' | 'plateaued' | 'diverging' | 'converged';

export interface CreateContradictionBody {
  scope_id: ScopeId;
  claim_a: string;
  claim_b: string;
  source_a?: string;
  source_b?: string;
  severity?: Severity;
  document_ids?: string[];
}

/** Without text it is an entry of a register */
export interface CreateDocumentBody {
  scope_id: ScopeId;
  name: DocumentName;
  type?: string;
  document_id?: DocumentId;
  source?: string;
  idempotency_key?: string;
  text?: Text;
  provenance?: Provenance;
}

export interface DecideContradictionRequest {
  status: 'resolved' | 'deferred';
  /** Why */
  resolution: string;
  /** Who */
  resolved_by: string;
  /**
   * The claim that holds. A later document that contradicts it reopens the contradiction; without it,
   * one that contradicts either claim does
   */
  upholds?: 'a' | 'b';
}

export interface Document {
  scope_id: ScopeId;
  document_id: DocumentId;
  version: number;
  seq: number;
  name: DocumentName;
  type: string;
  source: string | null;
  provenance: Provenance | null;
  state: DocumentState;
  attempts: number;
  /** Why the last attempt failed */
  error: string | null;
  accepted_at: Timestamp;
  queued_at: Timestamp | null;
  started_at: Timestamp | null;
  finished_at: Timestamp | null;
  not_before: Timestamp | null;
  /** Claims found in it; null when it is not processed, or a newer version is */
  claims: number | null;
  /** What to know about how it was read */
  warnings: string[];
  /** Open contradictions with other documents of its scope */
  contradictions: number;
  /** At least so many more are not shown, since others of their documents and facts come first */
  contradictions_left_out: number;
}

export type DocumentId = string;

export interface DocumentList {
  /**
   * Each version by itself. Where documents were deleted a moment ago there may be few on a page, or
   * none: the last page is the one whose next_cursor is null
   */
  documents: DocumentRecord[];
  /** Where the next page goes on; null on the last one */
  next_cursor: string | null;
}

export type DocumentName = string;

export interface DocumentRecord {
  document_id: DocumentId;
  version: number;
  seq: number;
  name: DocumentName;
  type: string;
  source: string | null;
  provenance: Provenance | null;
  state: DocumentState;
  attempts: number;
  /** Why the last attempt failed */
  error: string | null;
  accepted_at: Timestamp;
  queued_at: Timestamp | null;
  started_at: Timestamp | null;
  finished_at: Timestamp | null;
  not_before: Timestamp | null;
  /** Claims found in it; null when it is not processed, or a newer version is */
  claims: number | null;
  /** What to know about how it was read */
  warnings: string[];
}

export type DocumentState = 'pending' | 'queued' | 'processing' | 'processed' | 'failed' | 'superseded';

export interface DocumentText {
  document_id: DocumentId;
  version: number;
  type: string;
  text: Text | null;
}

/** An operator deferred a contradiction */
export interface EventContradictionDeferred {
  id: EventId;
  type: 'contradiction.deferred';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    contradiction_id: string;
    /** Who did it */
    resolved_by: string;
  };
}

/** Two documents were found to contradict each other */
export interface EventContradictionDetected {
  id: EventId;
  type: 'contradiction.detected';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    contradiction_id: string;
    severity: string;
    document_ids: string[];
  };
}

/** New evidence speaks against a resolution */
export interface EventContradictionReopened {
  id: EventId;
  type: 'contradiction.reopened';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    contradiction_id: string;
    /** The contradiction that is the evidence */
    evidence: string;
  };
}

/** A tenant reported a contradiction */
export interface EventContradictionReported {
  id: EventId;
  type: 'contradiction.reported';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    contradiction_id: string;
    severity: string;
  };
}

/** An operator resolved a contradiction */
export interface EventContradictionResolved {
  id: EventId;
  type: 'contradiction.resolved';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    contradiction_id: string;
    /** Who did it */
    resolved_by: string;
  };
}

/** A document no longer says what was contradicted, or is no longer there, or others come first now */
export interface EventContradictionRetracted {
  id: EventId;
  type: 'contradiction.retracted';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    contradiction_id: string;
    severity: string;
    document_ids: string[];
  };
}

/** A document was stored, and is not asked to run */
export interface EventDocumentAccepted {
  id: EventId;
  type: 'document.accepted';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    document_id: string;
    version: number;
    seq: number;
    trace_id?: TraceId;
  };
}

/** A document was erased, with every version */
export interface EventDocumentDeleted {
  id: EventId;
  type: 'document.deleted';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    document_id: string;
    versions: number;
  };
}

/** The last attempt at a document failed */
export interface EventDocumentFailed {
  id: EventId;
  type: 'document.failed';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    document_id: string;
    version: number;
    seq: number;
    trace_id?: TraceId;
    error: string;
  };
}

/** A document was processed */
export interface EventDocumentProcessed {
  id: EventId;
  type: 'document.processed';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    document_id: string;
    version: number;
    seq: number;
    trace_id?: TraceId;
  };
}

/** A document waits to be processed */
export interface EventDocumentQueued {
  id: EventId;
  type: 'document.queued';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    document_id: string;
    version: number;
    seq: number;
    trace_id?: TraceId;
  };
}

/** A newer version of the document was processed, or the document is being deleted */
export interface EventDocumentSuperseded {
  id: EventId;
  type: 'document.superseded';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    document_id: string;
    version: number;
    seq: number;
    trace_id?: TraceId;
  };
}

/** The documents of a scope agree, and there is nothing left to do */
export interface EventScopeConverged {
  id: EventId;
  type: 'scope.converged';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    score: number;
  };
}

/** A scope was created, by name or by its first document */
export interface EventScopeCreated {
  id: EventId;
  type: 'scope.created';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    name: string;
  };
}

/** A scope was deleted */
export interface EventScopeDeleted {
  id: EventId;
  type: 'scope.deleted';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: Record<string, unknown>;
}

/** An operator had the pending documents of a scope queued */
export interface EventScopeIngestTriggered {
  id: EventId;
  type: 'scope.ingest_triggered';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    retry_failed: boolean;
  };
}

/** A scope that had converged has not any more */
export interface EventScopeReopened {
  id: EventId;
  type: 'scope.reopened';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    score: number;
    status: string;
  };
}

/** A scope was emptied */
export interface EventScopeReset {
  id: EventId;
  type: 'scope.reset';
  ts: Timestamp;
  tenant_id: TenantId | null;
  scope_id: ScopeId | null;
  payload: {
    documents: number;
    contradictions: number;
  };
}

/** Rises in the order of commits; to resume after */
export type EventId = string;

export interface Evidence {
  document_id: string;
  /** Of the version that says it */
  seq: number;
  sentence: string;
  span: TextSpan;
}

/** One line. The last one is an end; an answer without it is not complete, and an error says why */
export type ExportLine =
  | ({
      kind: 'document';
      scope_id: ScopeId;
      text?: Text | null;
    } & DocumentRecord)
  | ({
      kind: 'claim';
      document_id: DocumentId;
      version: number;
    } & Claim)
  | ({
      kind: 'fact';
    } & Fact)
  | ({
      kind: 'contradiction';
    } & Contradiction)
  | {
      kind: 'cursor';
      cursor: string;
    }
  | {
      kind: 'end';
      counts: {
        documents: number;
        claims: number;
        facts: number;
        contradictions: number;
      };
      /** Of all bytes before this line, in hex */
      sha256: string;
      revision: {
        start: number;
        end: number;
      };
      /** Whether the scope is another one than at the start */
      changed: boolean;
    }
  | {
      kind: 'error';
      error: Problem;
    };

export interface Fact {
  /**
   * What claims have in common that say something of the same thing, whatever they say; the same in all
   * scopes
   */
  fact_id: string;
  /** Null where the text does not name it */
  subject: string | null;
  /** What is said of it */
  attribute: string;
  qualifiers: ClaimQualifiers;
  /**
   * disputed: a contradiction stands, shown or left out, and not all that are shown were decided;
   * agreed: all documents give one value; varied: they give several, and no open contradiction between
   * them is known
   */
  state: 'agreed' | 'disputed' | 'varied';
  /** How many speak of it */
  documents: number;
  /** The first ten, those of most documents first. A document may give several */
  values: FactValue[];
  /** Whether there are more than these; the evidence has all */
  more_values: boolean;
  leading: ClaimValue;
  /** The ids of those that are open and shown */
  contradictions: string[];
  changed_at: Timestamp | null;
}

/** What one document says of it; once for each value that it gives */
export interface FactEvidence {
  document_id: string;
  value: ClaimValue;
  /** Whether the document says that it is so, or that it is not */
  polarity: 'affirmed' | 'denied';
  /** How it is said; only facts are held against facts */
  modality: 'fact' | 'plan' | 'hypothesis' | 'question' | 'reported' | 'rule';
  /** In which the document says it; a longer one is shortened */
  sentence: string;
  span: TextSpan | null;
}

export interface FactList {
  facts: Fact[];
  /** Where the next page goes on; null on the last one */
  next_cursor: string | null;
}

export interface FactValue {
  value: ClaimValue;
  /** Whether the document says that it is so, or that it is not */
  polarity: 'affirmed' | 'denied';
  /** How many give it */
  documents: number;
  /** The first of the documents that give it */
  example: {
    document_id: string;
    /** In which the document says it; a longer one is shortened */
    sentence: string;
    span: TextSpan | null;
  };
}

export interface FactWithEvidence {
  /**
   * What claims have in common that say something of the same thing, whatever they say; the same in all
   * scopes
   */
  fact_id: string;
  /** Null where the text does not name it */
  subject: string | null;
  /** What is said of it */
  attribute: string;
  qualifiers: ClaimQualifiers;
  /**
   * disputed: a contradiction stands, shown or left out, and not all that are shown were decided;
   * agreed: all documents give one value; varied: they give several, and no open contradiction between
   * them is known
   */
  state: 'agreed' | 'disputed' | 'varied';
  /** How many speak of it */
  documents: number;
  /** The first ten, those of most documents first. A document may give several */
  values: FactValue[];
  /** Whether there are more than these; the evidence has all */
  more_values: boolean;
  leading: ClaimValue;
  /** The ids of those that are open and shown */
  contradictions: string[];
  changed_at: Timestamp | null;
  /** By value, and then in the order in which the documents came */
  evidence: FactEvidence[];
  /** Where the next page goes on; null on the last one */
  next_cursor: string | null;
}

export interface FieldError {
  path: string;
  message: string;
}

export interface HealthResponse {
  /** `ok`, or `unavailable` with 503 when nothing can be accepted */
  status: string;
  version: string;
  /** Why it is `unavailable` */
  detail?: string;
}

export interface IngestBatchRequest {
  /** Each as in POST /api/ingest; one that is wrong does not keep the others out */
  documents: unknown[];
}

export interface IngestBatchResponse {
  /** One for each document, in order */
  results: BatchResult[];
  /** How many of them were accepted */
  accepted: number;
  rejected: number;
}

export interface IngestDocumentRequest {
  scope_id: ScopeId;
  name: DocumentName;
  type?: string;
  text: Text;
  document_id?: DocumentId;
  source?: string;
  idempotency_key?: string;
}

export interface IngestDocumentResponse {
  scope_id: ScopeId;
  name: DocumentName;
  type: string;
  document_id: DocumentId | null;
  idempotency_key: string | null;
  queued: true;
  /** Its position in the scope */
  seq: number | null;
  integration_version: 'v1';
  message: string;
}

/** One line of the body; `scope_id` may be left out where the address names one */
export interface IngestLine {
  scope_id?: ScopeId;
  name: DocumentName;
  type?: string;
  text: Text;
  document_id?: DocumentId;
  source?: string;
  idempotency_key?: string;
  provenance?: Provenance;
}

export interface IngestLineAnswer {
  /** Which one, counted from 1 */
  line: number;
  /** What POST /api/ingest would have answered; 204 when skipped */
  status: number;
  document?: IngestDocumentResponse | StoredDocument;
  /** The idempotency key was used before */
  replayed?: boolean;
  error?: Problem;
  /** Of which kind it is, if of no document */
  skipped?: string;
}

/** One line for each line, in order; the last one has `done` */
export type IngestStreamAnswers = IngestLineAnswer | IngestStreamThrough;

export interface IngestStreamThrough {
  /** Every line up to this one is decided */
  through: number;
  accepted?: number;
  rejected?: number;
  skipped?: number;
  /** In the last line: false if it ended early */
  done?: boolean;
  error?: Problem;
}

/** An error */
export interface Problem {
  /** A name for this kind of error */
  type: string;
  title: string;
  status: number;
  /** What happened here, and what to do next */
  detail: string;
  /** Stable: program against this */
  code: string;
  /** The same as the header X-Request-Id */
  request_id: string;
  /** Seconds to wait, in the last line of an answer; else Retry-After says it */
  retry_after?: number;
  errors?: FieldError[];
}

/** A stable reference to where it comes from: a content hash, a source URI or an external id */
export type Provenance = string;

export type RuntimeState = 'running' | 'paused' | 'stopped';

export interface Scope {
  scope_id: ScopeId;
  name: string;
  state: RuntimeState;
  created_at: Timestamp;
}

export interface ScopeConvergence {
  status: ConvergenceStatus;
  score: Share | null;
  disagreement: Share | null;
  /** By how much disagreement falls with each point, as a logarithm; below 0 it grows */
  rate: number | null;
  /** Until there is next to no disagreement, at this rate; null when that is not in sight */
  batches_to_go: number | null;
  measured_at: Timestamp | null;
  dimensions: ConvergenceDimensions | null;
  groups: ConvergenceGroups;
  /** Open contradictions, the critical and the oldest first, at most five */
  blockers: ConvergenceBlocker[];
}

export type ScopeId = string;

export interface ScopeList {
  scopes: Scope[];
  /** Where the next page goes on; null on the last one */
  next_cursor: string | null;
}

export interface ScopeSummary {
  scope: {
    scope_id: ScopeId;
    name: string;
    created_at: Timestamp;
  };
  /** By state, every version counted */
  documents: {
    total: number;
    pending: number;
    queued: number;
    processing: number;
    processed: number;
    failed: number;
    superseded: number;
  };
  /** The seq of the newest document; null when there was none */
  last_seq: number | null;
  /**
   * All documents up to this seq are done, or pending; null when not even the first is. It falls after a
   * retry or a reset
   */
  settled_through: number | null;
  claims: {
    total: number;
    /** Things that they are made about */
    groups: number;
  };
  contradictions: {
    open: number;
    resolved: number;
    deferred: number;
    /** At least so many more are not shown, since others of their documents and facts come first */
    left_out: number;
  };
  convergence: ScopeConvergence;
  /** What older rules have read is read again in the background, behind new work */
  rules: {
    /** The version of the rules that documents are read by now */
    in_force: number;
    /** The version that all of the scope was read by, or a newer one; 0 where it is not known */
    applied: number;
    /** The seq up to which the scope was read again; null before the first, and when it is done */
    reread_up_to: number | null;
  };
  runtime: {
    state: RuntimeState;
    effective_state: RuntimeState;
  };
}

export type Severity = 'low' | 'medium' | 'critical';

export type Share = number;

export interface StoredDocument {
  scope_id: ScopeId;
  document_id: DocumentId;
  version: number;
  seq: number;
  name: DocumentName;
  type: string;
  state: DocumentState;
  idempotency_key: string | null;
  message: string;
}

export interface StreamToken {
  /** For `?token=` on the two streams of tenants, and for nothing else */
  token: string;
  expires_at: Timestamp;
  scope_id: ScopeId | null;
}

export interface StreamTokenRequest {
  scope_id?: ScopeId;
  /** How long it is good for */
  ttl_s?: number;
}

/** An event of the tenant, without its id. A `gap` and an `expired` are no events of the log */
export interface TenantEvent {
  id: EventId;
  type:
    | 'document.accepted'
    | 'document.queued'
    | 'document.processed'
    | 'document.failed'
    | 'document.superseded'
    | 'document.deleted'
    | 'contradiction.detected'
    | 'contradiction.retracted'
    | 'contradiction.reopened'
    | 'contradiction.reported'
    | 'contradiction.resolved'
    | 'contradiction.deferred'
    | 'scope.created'
    | 'scope.ingest_triggered'
    | 'scope.converged'
    | 'scope.reopened'
    | 'scope.reset'
    | 'scope.deleted';
  ts: Timestamp;
  scope_id: ScopeId;
  /** As the Event of the same type has it */
  payload: Record<string, unknown>;
}

export type TenantId = string;

export type Text = string;

/** Where the text that was sent says it, in UTF-16 units */
export interface TextSpan {
  start: number;
  end: number;
}

export type Timestamp = string;

/** Of the `traceparent` that the request came with, if there was one */
export type TraceId = string;

/** What each route takes and answers. */
export interface Routes {
  /** Can documents be accepted? */
  'GET /api/health': {
    answer: HealthResponse;
  };
  /** Queue a document for processing */
  'POST /api/ingest': {
    header?: {
      /** The same as `idempotency_key` in the body, bare or as a quoted string; printable ASCII only */
      'Idempotency-Key'?: string | undefined;
      /**
       * W3C trace context: taken over into the log, into the events of the document, and to an extractor of
       * your own. One that is not valid counts as none
       */
      traceparent?: string | undefined;
    };
    body: IngestDocumentRequest;
    answer: IngestDocumentResponse;
  };
  /** Queue up to 100 documents; each has a result of its own */
  'POST /api/ingest/batch': {
    header?: {
      /**
       * W3C trace context: taken over into the log, into the events of the document, and to an extractor of
       * your own. One that is not valid counts as none
       */
      traceparent?: string | undefined;
    };
    body: IngestBatchRequest;
    answer: IngestBatchResponse;
  };
  /** Queue documents, one a line, as many as there are; each is answered by a line */
  'POST /api/ingest/stream': {
    query?: {
      /** The scope of every line that names none, and of all of an export */
      scope_id?: ScopeId | undefined;
      /** With `errors`, only errors are answered, and `through` after each thousandth line */
      answers?: 'all' | 'errors' | undefined;
    };
    header?: {
      /** Limits count the bytes as unpacked */
      'Content-Encoding'?: 'gzip' | 'identity' | undefined;
      /**
       * W3C trace context: taken over into the log, into the events of the document, and to an extractor of
       * your own. One that is not valid counts as none
       */
      traceparent?: string | undefined;
    };
    body?: IngestLine;
    answer: IngestStreamAnswers;
  };
  /** Store a document without queueing it */
  'POST /api/documents': {
    header?: {
      /** The same as `idempotency_key` in the body, bare or as a quoted string; printable ASCII only */
      'Idempotency-Key'?: string | undefined;
      /**
       * W3C trace context: taken over into the log, into the events of the document, and to an extractor of
       * your own. One that is not valid counts as none
       */
      traceparent?: string | undefined;
    };
    body: CreateDocumentBody;
    answer: StoredDocument;
  };
  /** Read the state of the newest version of a document */
  'GET /api/documents/{document_id}': {
    path: {
      document_id: DocumentId;
    };
    query: {
      scope_id: ScopeId;
      /** So many seconds the answer may wait for what is not done yet; it is 200 all the same */
      wait?: number | undefined;
    };
    answer: Document;
  };
  /** Erase a document: every version, its text, and the idempotency keys bound to it */
  'DELETE /api/documents/{document_id}': {
    path: {
      document_id: DocumentId;
    };
    query: {
      scope_id: ScopeId;
    };
    answer: undefined;
  };
  /** List the documents of a scope in order of seq */
  'GET /api/scopes/{scopeId}/documents': {
    path: {
      scopeId: ScopeId;
    };
    query?: {
      /** next_cursor of the page before */
      cursor?: string | undefined;
      /** A page may have fewer: only next_cursor tells whether it is the last one */
      limit?: number | undefined;
      state?: DocumentState | undefined;
    };
    answer: DocumentList;
  };
  /** Read back the text of a version of a document */
  'GET /api/documents/{document_id}/text': {
    path: {
      document_id: DocumentId;
    };
    query: {
      scope_id: ScopeId;
      /** The newest, when it is left out */
      version?: number | undefined;
    };
    header?: {
      /** ETags of what is known already */
      'If-None-Match'?: string | undefined;
    };
    answer: DocumentText;
  };
  /** List what a document claims, in order of its text */
  'GET /api/documents/{document_id}/claims': {
    path: {
      document_id: DocumentId;
    };
    query: {
      scope_id: ScopeId;
      /** next_cursor of the page before */
      cursor?: string | undefined;
      /** A page may have fewer: only next_cursor tells whether it is the last one */
      limit?: number | undefined;
    };
    answer: ClaimList;
  };
  /** Report that two claims contradict each other */
  'POST /api/contradictions': {
    body: CreateContradictionBody;
    answer: Contradiction;
  };
  /** List the contradictions of a scope */
  'GET /api/contradictions': {
    query: {
      scope_id: ScopeId;
      /** next_cursor of the page before */
      cursor?: string | undefined;
      /** A page may have fewer: only next_cursor tells whether it is the last one */
      limit?: number | undefined;
      status?: ContradictionStatus | undefined;
      severity?: Severity | undefined;
      /** Exactly as a contradiction has it */
      subject?: string | undefined;
      /** A document that is a side of it, or that a report names */
      document_id?: string | undefined;
      /** Which of them come first */
      order?: 'oldest' | 'newest' | undefined;
    };
    answer: ContradictionList;
  };
  /** Read one contradiction */
  'GET /api/contradictions/{contradictionId}': {
    path: {
      contradictionId: string;
    };
    answer: Contradiction;
  };
  /** Resolve or defer an open contradiction */
  'PATCH /api/contradictions/{contradictionId}': {
    path: {
      contradictionId: string;
    };
    body: DecideContradictionRequest;
    answer: Contradiction;
  };
  /** List the scopes of the tenant in order of their ids */
  'GET /api/scopes': {
    query?: {
      /** next_cursor of the page before */
      cursor?: string | undefined;
      /** A page may have fewer: only next_cursor tells whether it is the last one */
      limit?: number | undefined;
    };
    answer: ScopeList;
  };
  /** Read one scope */
  'GET /api/scopes/{scopeId}': {
    path: {
      scopeId: ScopeId;
    };
    answer: Scope;
  };
  /** What a scope holds */
  'GET /api/scopes/{scopeId}/summary': {
    path: {
      scopeId: ScopeId;
    };
    query?: {
      /** So many seconds the answer may wait for what is not done yet; it is 200 all the same */
      wait?: number | undefined;
      /** The seq up to which everything is to be done; left out, the newest one that there is now */
      through?: number | undefined;
    };
    answer: ScopeSummary;
  };
  /** What the documents of a scope say, by how many, and where they disagree */
  'GET /api/scopes/{scopeId}/facts': {
    path: {
      scopeId: ScopeId;
    };
    query?: {
      /**
       * Words of the subject and the attribute, all of which have to be there, in any order and form:
       * employee finds employees; case and accents do not matter. Only facts of two or more documents are
       * found by words
       */
      q?: string | undefined;
      /**
       * disputed: a contradiction stands, shown or left out, and not all that are shown were decided;
       * agreed: all documents give one value; varied: they give several, and no open contradiction between
       * them is known
       */
      state?: 'agreed' | 'disputed' | 'varied' | undefined;
      /** Only what so many documents speak of */
      min_documents?: number | undefined;
      /**
       * documents: what most documents speak of comes first. fact_id: in order of the ids, which shows
       * everything that is there all the while, even if the scope changes between two pages
       */
      order?: 'documents' | 'fact_id' | undefined;
      /** next_cursor of the page before */
      cursor?: string | undefined;
      /** A page may have fewer: only next_cursor tells whether it is the last one */
      limit?: number | undefined;
    };
    answer: FactList;
  };
  /** One fact with all its evidence, page by page */
  'GET /api/scopes/{scopeId}/facts/{fact_id}': {
    path: {
      scopeId: ScopeId;
      /**
       * What claims have in common that say something of the same thing, whatever they say; the same in all
       * scopes
       */
      fact_id: string;
    };
    query?: {
      /** next_cursor of the page before */
      cursor?: string | undefined;
      /** A page may have fewer: only next_cursor tells whether it is the last one */
      limit?: number | undefined;
    };
    answer: FactWithEvidence;
  };
  /** All that a scope holds, as lines of JSON */
  'GET /api/scopes/{scopeId}/export': {
    path: {
      scopeId: ScopeId;
    };
    query?: {
      /**
       * Of documents, texts, claims, facts, contradictions, separated by commas; all of them, when it is
       * left out
       */
      include?: string | undefined;
      /** Of a line of the kind cursor: goes on behind it */
      cursor?: string | undefined;
    };
    answer: ExportLine;
  };
  /** What happens in all scopes of the tenant, as server-sent events */
  'GET /api/events': {
    query?: {
      /** As the header Last-Event-ID, for clients that cannot set it */
      last_event_id?: string | undefined;
      /** Types to send, separated by commas; `document.*` stands for all that begin so */
      types?: string | undefined;
      /** Of `POST /api/stream-tokens`, for pages: in place of the key, never beside it */
      token?: string | undefined;
    };
    header?: {
      /**
       * The id of the last event that was seen: the stream goes on after it. 0 is the oldest that is kept;
       * without it the stream begins now
       */
      'Last-Event-ID'?: string | undefined;
    };
    answer: TenantEvent;
  };
  /** What happens in a scope of the tenant, as server-sent events */
  'GET /api/scopes/{scopeId}/events': {
    path: {
      scopeId: ScopeId;
    };
    query?: {
      /** As the header Last-Event-ID, for clients that cannot set it */
      last_event_id?: string | undefined;
      /** Types to send, separated by commas; `document.*` stands for all that begin so */
      types?: string | undefined;
      /** Of `POST /api/stream-tokens`, for pages: in place of the key, never beside it */
      token?: string | undefined;
    };
    header?: {
      /**
       * The id of the last event that was seen: the stream goes on after it. 0 is the oldest that is kept;
       * without it the stream begins now
       */
      'Last-Event-ID'?: string | undefined;
    };
    answer: TenantEvent;
  };
  /** Issue a token with which a page follows events */
  'POST /api/stream-tokens': {
    body?: StreamTokenRequest;
    answer: StreamToken;
  };
}
