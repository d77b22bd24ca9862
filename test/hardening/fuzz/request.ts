/** One request, as the bytes that are sent and as a line to send it again. */
import type { Json, Operation } from './operations.ts';
import type { Random } from './random.ts';
import { fitting, serialise } from './values.ts';
import { lookAtOne, type World } from './world.ts';

export interface FuzzRequest {
  operation: Operation;
  method: string;
  /** Encoded, with the query string. */
  path: string;
  query: [string, string][];
  headers: [string, string][];
  /** What the body says, before it is bytes; undefined for none. */
  value: Json;
  body: Buffer | null;
  /** What was done to it, in the order it was done. */
  changes: string[];
  /** Method, path and headers are such that it reaches its operation's handler, so its answer has to be one of those. */
  isRouted: boolean;
  /** Whether anything but its body was changed: then the body alone does not decide. */
  isChangedOutside: boolean;
}

/** A request that the contract allows. */
export function validRequest(operation: Operation, random: Random, whole: World): FuzzRequest {
  const world = lookAtOne(whole, operation, random);
  const headers: [string, string][] = [];
  if (operation.template.startsWith('/internals')) headers.push(['authorization', `Bearer ${world.internals}`]);
  if (operation.template.startsWith('/admin'))
    headers.push(['authorization', `Bearer ${random.pick([world.admin, world.internals])}`]);

  const value =
    operation.body && (operation.body.required || random.is(0.7))
      ? fitting(operation.body.schema, 'body', random, world)
      : undefined;
  // A scope is one of a tenant, and a filter has something in it: neither is in the schema.
  if (operation.template === '/admin/documents/retry') {
    const isFound = (value.state ?? value.error ?? value.older_than ?? value.ids) !== undefined;
    if (!isFound || value.scope_id !== undefined) value.tenant_id ??= world.tenantId;
  }
  // A key or a token, and not both.
  const takesToken = operation.parameters.some(({ name }) => name === 'token');
  const unwanted = takesToken && random.is(0.5) ? 'X-Tenant-API-Key' : 'token';
  const query: [string, string][] = [];
  let path = operation.template;
  for (const { in: place, name, required, schema } of operation.parameters) {
    // Which cursor goes on here depends on the filter, and a scope is one of a tenant: neither is in the schema.
    if (operation.template === '/admin/documents' && /^(cursor|scope_id)$/.test(name)) continue;
    // Only with a tenant can a scope be addressed.
    const isKey = place === 'header' && name === 'X-Tenant-API-Key';
    const wanted = (isKey && (takesToken || value?.scope_id !== undefined)) || name === 'token';
    if (takesToken && name === unwanted) continue;
    if (!required && !wanted && !random.is(0.4)) continue;
    // Two keys that differ are refused.
    if (name === 'Idempotency-Key' && value?.idempotency_key !== undefined) continue;
    const key = place === 'header' ? name.toLowerCase() : name;
    const text = String(fitting(schema, key, random, world));
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text));
    else if (place === 'query') query.push([name, encodeURIComponent(text)]);
    else headers.push([key, text]);
  }
  // A document is also a line of them.
  if (operation.body && value !== undefined) headers.push(['content-type', operation.body.media]);
  return {
    operation,
    method: operation.method,
    path,
    query,
    headers,
    value,
    body: value === undefined ? null : Buffer.from(serialise(value)),
    changes: [],
    isRouted: true,
    isChangedOutside: false,
  };
}

export function addressOf({ path, query }: FuzzRequest): string {
  return query.length === 0 ? path : `${path}?${query.map(([name, text]) => `${name}=${text}`).join('&')}`;
}

/** Each character of the head is one byte. */
export function toBytes(request: FuzzRequest): Buffer {
  const lines = [`${request.method} ${addressOf(request)} HTTP/1.1`, 'host: docket'];
  for (const [name, text] of request.headers) lines.push(`${name}: ${text}`);
  const hasLength = request.headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (request.body && !hasLength) lines.push(`content-length: ${request.body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), request.body ?? Buffer.alloc(0)]);
}

/** For a person to paste; a long body is given by how it was made. */
export function toCurl(request: FuzzRequest, url: string): string {
  const headers = request.headers.map(([name, text]) => `-H ${quote(`${name}: ${shorten(text)}`)}`);
  const body = request.body ? [`--data-binary ${quote(shorten(request.body.toString('latin1')))}`] : [];
  const address = quote(shorten(`${url}${addressOf(request)}`));
  return ['curl -sS -i --path-as-is -g', `-X ${quote(request.method)}`, ...headers, ...body, address].join(' ');
}

/** The same for what is no request to any client. */
export function toBash(bytes: Buffer, url: string): string {
  const { hostname, port } = new URL(url);
  const text = shorten(bytes.toString('latin1')).replaceAll(/[%\\']|[^\x20-\x7e]/g, (letter) =>
    letter === '%' ? '%%' : `\\x${(letter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  );
  return `bash -c "exec 3<>/dev/tcp/${hostname}/${port}; printf '${text.replaceAll('"', '\\x22')}' >&3; cat <&3"`;
}

const MOST = 2000;
const shorten = (text: string) => (text.length <= MOST ? text : `${text.slice(0, 200)}…(${text.length - 200} more)`);

function quote(text: string): string {
  const isPlain = !/[^\x20-\x7e]/.test(text);
  if (isPlain) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text
    .replaceAll(/['\\]/g, '\\$&')
    .replaceAll(/[^\x20-\x7e]/g, (letter) =>
      [...Buffer.from(letter, 'latin1')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    );
  return `$'${escaped}'`;
}
