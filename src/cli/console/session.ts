/** What the operator's key is good for: its tier, and whether it may change anything. */
import { Refusal } from './answers.ts';
import type { Service } from './forward.ts';

export interface Session {
  service: string;
  tier: 'admin' | 'internals';
  read_only: boolean;
}

const WAIT_MS = 10_000;

/** Throws a Refusal when nobody answers, or with the service's own status when the key is not good. */
export async function openSession({ url, key }: Service): Promise<Session> {
  const headers = { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(WAIT_MS);
  const answer = await fetch(`${url}/admin/health`, { headers, redirect: 'manual', signal }).catch((error) => {
    const why = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new Refusal(502, 'unreachable', `Nobody answers at ${url} (${why}).`);
  });
  const { status } = answer;
  const content = (await answer.json().catch(() => null)) as Content | null;
  if (status === 401 || status === 403)
    throw new Refusal(status, content?.code ?? 'unauthorized', content?.detail ?? 'The key is not good there.');
  const tier = content?.authTier;
  if (status !== 200 || (tier !== 'admin' && tier !== 'internals'))
    throw new Refusal(502, 'unreachable', content?.detail ?? `${url} answered ${status}; is that Docket?`);
  return { service: url, tier, read_only: content?.read_only === true };
}

interface Content {
  authTier?: string;
  read_only?: boolean;
  code?: string;
  detail?: string;
}
