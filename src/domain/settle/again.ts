/**
 * What becomes of documents that are read again by newer rules. They are processed and stay so, whatever comes of it: nothing is
 * told of them, and they count in no figures. Pure.
 */
import type { Result, SettledDocument } from '../../storage/batches.ts';
import type { ClaimedState, End } from './plan.ts';

export interface Again {
  ends: End[];
  /** Those that could not be read again, however often it was tried, keep the reading that they have. */
  passed: SettledDocument[];
  /** From where reading again goes on; null where it came no further. */
  reread_from: number | null;
}

export function decideAgain(claimed: ClaimedState[], results: Result[]): Again {
  const bySeq = new Map(results.map((result) => [result.seq, result]));
  const again: Again = { ends: [], passed: [], reread_from: null };
  let left: number | null = null;
  for (const document of claimed) {
    const { seq } = document;
    const result = bySeq.get(seq);
    if (result?.error === null) again.ends.push({ document, result: { ...result, tried: false }, state: 'processed' });
    else if (result && result.retry_ms === null) again.passed.push(passedOver(document, result.error));
    else left ??= seq;
  }
  const [first] = claimed;
  const last = claimed.at(-1);
  if (first && last && left !== first.seq) again.reread_from = left ?? last.seq + 1;
  return again;
}

const PASSED = 'It could not be read again by newer rules, and is compared with nothing that they have read:';

/** Beside what its reading warned of. Even newer rules may have passed it over before, which is said once. */
function passedOver({ seq, claims = null, warnings }: ClaimedState, error: string | null): SettledDocument {
  const others = (warnings ?? []).filter((warning) => !warning.startsWith(PASSED));
  return {
    ...{ seq, state: 'processed', tried: false, error: null, retry_ms: null, claims },
    warnings: [...others, `${PASSED} ${error}`],
  };
}
