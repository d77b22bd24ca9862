/** A plain submission, and what a test wants different about it. */
import type { Submission } from '../../src/domain/accept/submission.ts';
import { BY_ID_ALONE } from '../../src/domain/access.ts';

export function newSubmission(tenantId: string, scopeId: string, change: Partial<Submission> = {}): Submission {
  return {
    tenantId,
    scopeId,
    access: BY_ID_ALONE,
    route: 'ingest',
    documentId: null,
    name: 'n',
    type: 'txt',
    text: 't',
    source: null,
    provenance: null,
    idempotencyKey: null,
    traceparent: null,
    ...change,
  };
}
