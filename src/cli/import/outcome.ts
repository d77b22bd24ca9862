/** What the scope has after an import, in a few lines: documents, claims, contradictions, convergence. */
import type { Docket, ScopeSummary } from '../../../client/src/index.ts';
import { harmless } from '../../terminal.ts';
import { counted, inWords } from '../progress-line.ts';
import type { Known } from './known.ts';
import type { Fail } from './walk.ts';

/** So many of what has failed in the scope are looked at for those of this import. */
const MAX_LOOKED_AT = 10_000;

type Shown = Pick<ScopeSummary, 'scope' | 'documents' | 'claims' | 'contradictions' | 'convergence'>;

export function outcomeLines({ scope, documents, claims, contradictions, convergence }: Shown): string[] {
  const waiting = documents.queued + documents.processing;
  const states = [
    `${inWords(documents.processed)} processed`,
    waiting > 0 && `${inWords(waiting)} waiting`,
    documents.failed > 0 && `${inWords(documents.failed)} failed`,
  ];
  const { status, score, blockers } = convergence;
  // It shows five of them, the critical and the oldest first.
  const reasons = blockers.map(({ severity, reason }) => `  ${severity}: ${harmless(reason ?? 'reported by hand')}`);
  return [
    `scope ${scope.scope_id}: ${counted(documents.total - documents.superseded, 'document')}, ${states.filter(Boolean).join(', ')}`,
    `${counted(claims.total, 'claim')} about ${counted(claims.groups, 'thing')}, ${counted(contradictions.open, 'open contradiction')}; ${status}${score === null ? '' : `, ${score}`}`,
    ...reasons,
    ...(contradictions.open > reasons.length && reasons.length > 0 ? ['  …'] : []),
  ];
}

/** Tells those of this import whose processing has failed, each with why. Resolves with false when there may be more of them. */
export async function failedDocuments(
  { docket, scopeId, signal }: { docket: Docket; scopeId: string; signal: AbortSignal },
  known: Known,
  fail: Fail,
  most = MAX_LOOKED_AT,
): Promise<boolean> {
  let looked = 0;
  let isAll = true;
  for await (const { document_id, error } of docket.documents(scopeId, { state: 'failed' }, { signal })) {
    if (looked++ === most) return false;
    const wasPlanned = known.wasPlanned(document_id);
    if (wasPlanned === null) isAll = false;
    if (wasPlanned) fail(document_id, `its processing has failed: ${error ?? 'no reason was given'}`);
  }
  return isAll;
}
