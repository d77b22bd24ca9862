/** What a light tenant does: a small document now and then, at a steady rate whatever the answers do. */
import type { Tenant } from '../../storm/journal.ts';
import { firmName, state } from '../../storm/texts.ts';
import { sleep } from '../../storm/waiting.ts';
import { Lines, requestOf } from '../line.ts';

export const BYSTANDER_SCOPE = 'bystander';
const SCOPES = 4;

export interface Wish {
  url: string;
  tenant: Tenant;
  /** Begins the ids of its documents, by which they are found again. */
  phase: string;
  /** Posts are counted from here on: none says what one of an earlier phase has said. */
  from: number;
  posts: number;
  perSecond: number;
}

export interface Posted {
  /** Of what was answered 202, in ms: from when it was due, so that a service that stalls cannot hide it. */
  latencies: number[];
  /** Of all else, by status; 0 for no answer. */
  refused: Record<string, number>;
}

export async function post({ url, tenant, phase, from, posts, perSecond }: Wish): Promise<Posted> {
  const lines = new Lines(url);
  const posted: Posted = { latencies: [], refused: {} };
  const pending: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < posts; n++) {
    const dueAt = began + (1000 * n) / perSecond;
    const request = requestFor(tenant, phase, from + n);
    const wait = dueAt - performance.now();
    if (wait > 0) await sleep(wait);
    const late = Math.max(0, performance.now() - dueAt - TIMER_MS);
    pending.push(
      lines.ask(request).then(({ status, ms }) => {
        if (status === 202) posted.latencies.push(ms + late);
        else posted.refused[status] = (posted.refused[status] ?? 0) + 1;
      }),
    );
  }
  await Promise.all(pending);
  lines.close();
  return posted;
}

/** Timers come up to so much late, which is nobody's latency. */
const TIMER_MS = 2;

function requestFor(tenant: Tenant, phase: string, n: number): Buffer {
  const body = JSON.stringify({
    scope_id: `${BYSTANDER_SCOPE}-${n % SCOPES}`,
    name: `paper ${n}`,
    document_id: `${phase}-${n}`,
    text: state(firmName(n), 10_000 + n).text,
  });
  return requestOf({ path: '/api/ingest', headers: { 'X-Tenant-ID': tenant.id }, body });
}
