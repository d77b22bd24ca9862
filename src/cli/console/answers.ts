/** What the console answers by itself: its headers, and errors in the shape that the service's own have. */
import type { ServerResponse } from 'node:http';

/** No script, style or picture from anywhere else, none inline, and no request but to the console. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

export function sendJson(response: ServerResponse, status: number, content: object): void {
  response
    .writeHead(status, { ...SAFE_HEADERS, 'content-type': 'application/json; charset=utf-8' })
    .end(`${JSON.stringify(content)}\n`);
}

/** After the headers have gone, only the end of the connection can say that something is missing. */
export function sendRefusal(response: ServerResponse, { status, code, message }: Refusal): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, { code, status, detail: message });
}
