/** Changes to the headers. Those that say nothing about the route leave the request as good as it was. */
import type { Random } from './random.ts';
import type { FuzzRequest } from './request.ts';

const LONG = 8 * 1024;
const TEXTS = [
  '',
  ' ',
  'x'.repeat(LONG),
  '\xe4\xf6\xfc\xdf',
  Buffer.from('東京🙂').toString('latin1'),
  '\x80\xff',
  '__proto__',
  '0',
  '-1',
  '1e999',
  ',',
  ';;;',
  '*/*',
  'null',
  '9'.repeat(400),
  'a\tb',
];
/** Names that mean something to somebody on the way. */
const NAMES = [
  'x-request-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-http-method-override',
  'x-original-url',
  'accept',
  'accept-encoding',
  'accept-language',
  'accept-version',
  'if-none-match',
  'if-modified-since',
  'range',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'cookie',
  'referer',
  'user-agent',
  'forwarded',
  'via',
  'te',
  'pragma',
  'idempotency-key',
  'x-odd',
  '__proto__',
  'constructor',
];
/** Those by which the request is let in or read. */
const OURS = ['authorization', 'x-tenant-id', 'x-tenant-api-key', 'last-event-id', 'content-type', 'content-encoding'];
const CONTENT_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  'application/json; charset=utf-16',
  'application/json;',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/problem+json',
  'application/jsonx',
  '*/*',
  '/',
  '',
];

type Change = (request: FuzzRequest, random: Random) => void;

const put = ({ headers }: FuzzRequest, name: string, text: string) => {
  const at = headers.findIndex(([given]) => given === name);
  if (at < 0) headers.push([name, text]);
  else headers[at] = [name, text];
};

const CHANGES: Record<string, Change> = {
  'one that is not ours': ({ headers }, random) => {
    headers.push([random.pick(NAMES), random.pick(TEXTS)]);
  },
  'many that are not ours': ({ headers }, random) => {
    for (let n = 0; n < 90; n++) headers.push([`x-${n}`, random.text('abc', 0, 20)]);
  },
  'one of ours is odd': (request, random) => {
    put(request, random.pick(OURS), random.pick(TEXTS));
  },
  'one of ours is sent twice': (request, random) => {
    const [name, text] = random.pick(
      request.headers.length > 0 ? request.headers : [['accept', '*/*'] as [string, string]],
    );
    request.headers.push([name, random.pick([text, '', random.pick(TEXTS)])]);
  },
  'one of ours is missing': (request, random) => {
    if (request.headers.length > 0) request.headers.splice(random.int(0, request.headers.length - 1), 1);
  },
  'another content type': (request, random) => {
    put(request, 'content-type', random.pick(CONTENT_TYPES));
  },
  'an odd authorization': (request, random) => {
    const key = request.headers.find(([name]) => name === 'authorization')?.[1].slice(7) ?? 'none';
    const odd = [
      `bearer  ${key}`,
      `Bearer ${key} `,
      `Basic ${key}`,
      `Bearer`,
      `Bearer ${key},Bearer ${key}`,
      `Bearer ${key}x`,
    ];
    put(request, 'authorization', random.pick(odd));
  },
  'a body where none belongs': (request, random) => {
    if (request.body) return;
    request.body = Buffer.from(random.pick(['{}', '{', 'x', '[1]', '"a"', '\0']));
    put(request, 'content-type', random.pick(['application/json', ...CONTENT_TYPES]));
  },
};

export function changeHeaders(request: FuzzRequest, random: Random): void {
  const [name, change] = random.pick(Object.entries(CHANGES));
  change(request, random);
  request.isChangedOutside = true;
  request.changes.push(`headers: ${name}`);
}
