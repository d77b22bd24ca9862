/** Connections on real sockets: which answers come before one ends. */
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();

const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n';
const UPGRADE = 'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n';
const BROKEN = 'x\0x\r\n\r\n';

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  later(() => socket.destroy());
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

/** The status of every answer until the server closes the connection. */
async function statusesOf(bytes: string): Promise<number[]> {
  const socket = await open(service.url);
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
}

function post(tenantId: string, name: string, { body = '', headers = '' } = {}): string {
  const document = body || JSON.stringify({ scope_id: 'ahead', name, text: 'Acme has 3 cars.' });
  const length = headers || `Content-Length: ${document.length}\r\n`;
  return `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\n${length}\r\n${document}`;
}

describe('what is owed on a connection is answered first', () => {
  it('when what follows is no request', async () => {
    const { tenantId } = await service.newTenant();
    const posts = ['a', 'b', 'c'].map((name) => post(tenantId, name)).join('');
    expect(await statusesOf(posts + BROKEN)).toEqual([202, 202, 202, 400]);
  });

  it('when the body that follows is broken, which is not answered twice', async () => {
    const { tenantId } = await service.newTenant();
    const broken = post(tenantId, 'c', { headers: 'Transfer-Encoding: chunked\r\n', body: 'no length\r\n' });
    expect(await statusesOf(post(tenantId, 'a') + post(tenantId, 'b') + broken)).toEqual([202, 202, 400]);
    expect(await statusesOf(broken)).toEqual([400]);
  });

  it('when what follows asks for a tunnel, which there is not', async () => {
    const { tenantId } = await service.newTenant();
    expect(await statusesOf(post(tenantId, 'a') + post(tenantId, 'b') + CONNECT)).toEqual([202, 202]);
  });
});

it('the connection ends with the answer to a request for an upgrade: what was sent after it may have been lost', async () => {
  expect(await statusesOf(HEALTH + UPGRADE.repeat(3) + HEALTH)).toEqual([200, 200]);
});
