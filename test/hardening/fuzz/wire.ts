/** What only the wire can say: lies about lengths, several requests in one, half of one, none at all. */
import type { Random } from './random.ts';
import type { World } from './world.ts';

export interface WireCase {
  name: string;
  bytes: Buffer;
  /** Whether we close our side after it; else the server has to. */
  end: boolean;
  /** How many answers there have to be at least; a request that never becomes one may get none. */
  least: number;
}

const JSON_TYPE = 'content-type: application/json\r\n';

export function wireCase(random: Random, world: World): WireCase {
  const auth = `host: x\r\nauthorization: Bearer ${world.admin}\r\n`;
  const close = 'connection: close\r\n';
  const post = `POST /admin/tenants HTTP/1.1\r\n${auth}${JSON_TYPE}`;
  const body = '{"name":"wire"}';
  const get = (more = '') => `GET /admin/health HTTP/1.1\r\n${auth}${more}\r\n`;
  const n = random.int(1, 9);
  const cases: Record<string, [text: string, least: number, end?: boolean]> = {
    'three at once': [`${get()}${get()}${get(close)}`, 3],
    'a body and the next at once': [`${post}content-length: ${body.length}\r\n\r\n${body}${get(close)}`, 2],
    'a right one, then garbage': [`${get()}\x00\x01${'x'.repeat(n)}\r\n\r\n`, 1],
    'a length that is too short': [`${post}content-length: ${body.length - n}\r\n\r\n${body}`, 1],
    'a length that is too long, and the end': [`${post}content-length: ${body.length + n}\r\n\r\n${body}`, 0, true],
    'two lengths': [`${post}content-length: 5\r\ncontent-length: 6\r\n\r\n${body}`, 1],
    'a negative length': [`${post}content-length: -${n}\r\n\r\n${body}`, 1],
    'a length that is no number': [`${post}content-length: 0x1${n}\r\n\r\n${body}`, 1],
    'a length beyond numbers': [`${post}content-length: ${'9'.repeat(30)}\r\n\r\n${body}`, 1],
    'a length and chunks': [`${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 1],
    'chunks that lie': [`${post}${close}transfer-encoding: chunked\r\n\r\n${n}\r\n${body}\r\n0\r\n\r\n`, 1],
    'a chunk of no size': [`${post}${close}transfer-encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`, 1],
    'a chunk of endless size': [`${post}${close}transfer-encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n${body}`, 1],
    'chunks without end': [`${post}transfer-encoding: chunked\r\n\r\nf\r\n${body}\r\n`, 0, true],
    'chunks with a trailer': [
      `${post}${close}transfer-encoding: chunked\r\n\r\nf;x=y\r\n${body}\r\n0\r\nx-late: 1\r\n\r\n`,
      1,
    ],
    'another transfer encoding': [`${post}${close}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 1],
    'a transfer encoding of its own': [`${post}${close}transfer-encoding: x${n}\r\n\r\n${body}`, 1],
    'line feeds only': [get(close).replaceAll('\r\n', '\n'), 1],
    'a folded header': [get(`x: a\r\n b\r\n${close}`), 1],
    'a space before the colon': [get(`x : a\r\n${close}`), 1],
    'a NUL in a header': [get(`x: a\0b\r\n${close}`), 1],
    'a header without a colon': [get(`nonsense\r\n${close}`), 1],
    'headers that are too large': [get(`x: ${'x'.repeat(20_000)}\r\n${close}`), 1],
    'two thousand headers': [get(`${'a: b\r\n'.repeat(2100)}${close}`), 1],
    'no host': ['GET /api/health HTTP/1.1\r\n\r\n', 1],
    'two hosts': [get(`host: y\r\n${close}`), 1],
    'an expectation of its own': [get(`expect: wonders\r\n${close}`), 1],
    'no HTTP': ['hello\r\n\r\n', 1],
    TLS: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 0, true],
    'HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 1],
    'HTTP/1.0': [`GET /api/health HTTP/1.0\r\n\r\n`, 1],
    'HTTP/9.9': [`GET /api/health HTTP/9.9\r\nhost: x\r\n\r\n`, 1],
    'a space in the address': [`GET /api/ health HTTP/1.1\r\nhost: x\r\n${close}\r\n`, 1],
    'an address of everything': [`OPTIONS * HTTP/1.1\r\nhost: x\r\n${close}\r\n`, 1],
    'an absolute address': [`GET http://elsewhere/api/health HTTP/1.1\r\nhost: x\r\n${close}\r\n`, 1],
    'a tunnel': ['CONNECT example.org:443 HTTP/1.1\r\nhost: x\r\n\r\n', 0],
    'an upgrade': [get(`upgrade: websocket\r\nconnection: upgrade, close\r\nsec-websocket-key: x\r\n`), 1],
    'a body after 100-continue': [
      `${post}${close}expect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      1,
    ],
    'half a head, and the end': ['GET /api/health HTTP/1.1\r\nhos', 0, true],
    'nothing, and the end': ['', 0, true],
  };
  const [name, [text, least, end = false]] = random.pick(Object.entries(cases));
  return { name, bytes: Buffer.from(text, 'latin1'), least, end };
}
