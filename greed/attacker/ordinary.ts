/** Full ordinary load: some tenants post as fast as they are answered. What the service then takes of memory is what it may take. */
import { makeBodies } from '../../bench/parts/documents.ts';
import type { Bites } from '../attack.ts';
import { flood } from '../flood.ts';
import { requestOf } from '../line.ts';

const CALLERS = 32;
const BODIES = 500;

export interface Ordinary {
  url: string;
  tenants: string[];
}

export async function postOrdinarily({ url, tenants }: Ordinary, isOver: () => boolean): Promise<Bites> {
  const requests = makeBodies(BODIES).map((body, n) =>
    requestOf({ path: '/api/ingest', headers: { 'X-Tenant-ID': tenants[n % tenants.length] as string }, body }),
  );
  const answers = await flood({ callers: CALLERS, url, isOver, request: (n) => requests[n % BODIES] as Buffer });
  return { accepted: answers.filter(({ status }) => status === 202).length };
}
