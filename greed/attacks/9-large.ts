/** 9: a tenant that posts large documents, one by one and without a pause: each is stored, read, and what it says is stored. */
import type { Attack } from '../attack.ts';
import { flood } from '../flood.ts';
import { requestOf } from '../line.ts';

const CONNECTIONS = 8;
const SCOPES = 1000;
/** Each is 100 KB, which Postgres keeps until the end: a bound for the disk. */
const MAX_POSTS = 10_000;

const sentence = (n: number) => `The weather was number ${n} of them and everybody went to house ${n + 7}.`;
const text = Array.from({ length: 1400 }, (_, n) => sentence(n)).join(' ');

export const large: Attack = {
  number: 9,
  name: 'large',
  parts: [
    {
      name: '',
      what: `${CONNECTIONS} connections that post documents of 100 KB`,
      async strike({ url, tenant }, isOver) {
        const request = (n: number) => {
          const body = JSON.stringify({ scope_id: `large-${n % SCOPES}`, name: `paper ${n}`, text });
          return requestOf({ path: '/api/ingest', headers: { 'X-Tenant-ID': tenant.id }, body });
        };
        const answers = await flood({ callers: CONNECTIONS, url, isOver, request, most: MAX_POSTS });
        return { posts: answers.length };
      },
    },
  ],
};
