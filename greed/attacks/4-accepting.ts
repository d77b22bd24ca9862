/** 4: a tenant, or a stranger, who keeps all that accepts busy: with batches, reads, reports, guesses, and heads without bodies. */
import { newTenantId } from '../../src/domain/ids.ts';
import { mintKey } from '../../src/domain/key-format.ts';
import { sleep } from '../../storm/waiting.ts';
import type { Attack, Part, Scene, Target } from '../attack.ts';
import { flood } from '../flood.ts';
import { letGoTogether } from '../held-back.ts';
import { Line, requestOf } from '../line.ts';

const BATCHING = 16;
/** Each is 8 MB, which Postgres keeps until the end: a bound for the disk. */
const MAX_BATCHES = 500;
const READING = 64;
const GUESSING = 128;
const HEADS = 100;
const DOCUMENTS = 100;
/** As the issue has it: 150 in the first second. */
const LIMITS = { rate_per_s: 50, burst: 100 };

const asTenant = ({ tenant }: Target) => ({ 'X-Tenant-ID': tenant.id });
const withKey = ({ tenant }: Target) => ({ 'X-Tenant-API-Key': tenant.key });

function batch(target: Target, scopes: number, text: string): Buffer {
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({
    scope_id: `heap-${n % scopes}`,
    name: `paper ${n}`,
    text,
  }));
  const body = JSON.stringify({ documents });
  return requestOf({ path: '/api/ingest/batch', headers: asTenant(target), body });
}

const batches: Part = {
  name: 'batches',
  what: `one tenant with ${BATCHING} connections of 8 MB batches`,
  async strike(target, isOver) {
    const request = batch(target, 10, 'x'.repeat(80_000));
    const { url } = target;
    const answers = await flood({ callers: BATCHING, url, isOver, request: () => request, most: MAX_BATCHES });
    return { batches: answers.length };
  },
};

const summaries: Part = {
  name: 'summaries',
  what: `${READING} connections that read summaries`,
  async strike(target, isOver) {
    const line = new Line(target.url);
    const body = JSON.stringify({ scope_id: 'read', name: 'paper', text: 'Stone or river?' });
    await line.ask(requestOf({ path: '/api/ingest', headers: asTenant(target), body }));
    line.close();
    const request = requestOf({ path: '/api/scopes/read/summary', headers: withKey(target) });
    const answers = await flood({ callers: READING, url: target.url, isOver, request: () => request });
    return { reads: answers.length };
  },
};

const reports: Part = {
  name: 'reports',
  what: `${READING} connections that report contradictions`,
  async strike(target, isOver) {
    const request = (n: number) => {
      const body = JSON.stringify({ scope_id: `told-${n % 10}`, claim_a: `It is ${n}.`, claim_b: `It is not ${n}.` });
      return requestOf({ path: '/api/contradictions', headers: asTenant(target), body });
    };
    const answers = await flood({ callers: READING, url: target.url, isOver, request });
    return { reports: answers.length };
  },
};

const guesses: Part = {
  name: 'guesses',
  what: `unknown ids and well-formed unknown keys on ${GUESSING} connections`,
  async strike(target, isOver) {
    const body = JSON.stringify({ scope_id: 'guess', name: 'paper', text: 'Stone or river?' });
    const request = (n: number) => {
      if (n % 3 === 0) return requestOf({ path: '/api/ingest', headers: { 'X-Tenant-ID': newTenantId() }, body });
      if (n % 3 === 1)
        return requestOf({ path: '/api/scopes/guess/summary', headers: { 'X-Tenant-API-Key': mintKey('tenant').key } });
      return requestOf({ path: '/admin/health', headers: { Authorization: `Bearer ${mintKey('admin').key}` } });
    };
    const answers = await flood({ callers: GUESSING, url: target.url, isOver, request });
    return { guesses: answers.filter(({ status }) => status === 401 || status === 429).length };
  },
};

const heads: Part = {
  name: 'heads first',
  what: `${HEADS} batches whose bodies are held back until all heads are in, at a limit of ${LIMITS.burst} and ${LIMITS.rate_per_s} a second`,
  async prepare({ deployment, tenant }) {
    const { status } = await deployment.asAdmin(`/admin/tenants/${tenant.id}`, {
      method: 'PATCH',
      body: { limits: LIMITS },
    });
    if (status !== 200) throw new Error(`the limits of a tenant could not be set: ${status}`);
  },
  async strike(target, isOver) {
    const request = batch(target, 1, 'Stone or river?');
    const from = request.indexOf('\r\n\r\n') + 4;
    let sent = 0;
    while (!isOver()) {
      sent += await letGoTogether({ url: target.url, sockets: HEADS, request, from, isOver });
      await sleep(500);
    }
    return { 'bodies after heads': sent };
  },
  alongside: async (scene) => async () => {
    const { accepted, seconds } = await acceptedOf(scene);
    // Its bucket was full at first, and the last second may have been one that was paid for before.
    const allowed = LIMITS.burst + LIMITS.rate_per_s * (seconds + 1);
    if (accepted <= allowed) return {};
    return { complaints: [`${accepted} documents were accepted where ${Math.floor(allowed)} were allowed`] };
  },
};

/** How many documents of the attacker were accepted, and from the first to the last within how many seconds. */
async function acceptedOf({ deployment, tenant }: Scene): Promise<{ accepted: number; seconds: number }> {
  const [row] = await deployment.ask(
    `select count(*)::int as accepted,
            coalesce(extract(epoch from max(accepted_at) - min(accepted_at)), 0)::float8 as seconds
       from documents join scopes using (scope_key, generation) where tenant_id = $1`,
    [tenant.id],
  );
  return row;
}

export const accepting: Attack = {
  number: 4,
  name: 'accepting',
  parts: [batches, summaries, reports, guesses, heads],
};
