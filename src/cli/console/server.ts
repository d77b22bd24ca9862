/** The console's own server: the page, what the key is good for, and the service behind `/service`. On the loopback address only. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal, SAFE_HEADERS, sendJson, sendRefusal } from './answers.ts';
import { Assets } from './assets.ts';
import { forward, type Service } from './forward.ts';
import { Guard } from './guard.ts';
import { isForwarded } from './routes.ts';
import { openSession, type Session } from './session.ts';

export interface Console {
  /** With what admits a browser to it. */
  link: string;
  close(): Promise<void>;
}

/** A page opens six at most, and one person has so many pages open. */
const MAX_CONNECTIONS = 64;

export async function startConsole(service: Service, port: number): Promise<Console> {
  const assets = new Assets();
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
  server.maxConnections = MAX_CONNECTIONS;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const guard = new Guard((server.address() as AddressInfo).port);
  const answer = answering(service, guard, assets);
  server.on('request', (request, response) => {
    answer(request, response).catch((error) => {
      const detail = 'Something went wrong in the console.';
      sendRefusal(response, error instanceof Refusal ? error : new Refusal(500, 'internal', detail));
    });
  });
  return {
    link: guard.link,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answering(service: Service, guard: Guard, assets: Assets) {
  let session: Promise<Session> | null = null;
  /** Asked once: what a key is good for never changes. That it ends, every other answer tells. */
  const known = () => {
    session ??= openSession(service).catch((error) => {
      session = null;
      throw error;
    });
    return session;
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    guard.checkPlace(request);
    const { method = '' } = request;
    const target = request.url ?? '/';
    const [path = '/'] = target.split('?', 1);
    if (path.startsWith('/service/')) {
      guard.checkPass(request);
      const route = path.slice('/service'.length);
      if (!isForwarded(method, route)) throw new Refusal(404, 'not_forwarded', 'The console does not pass that on.');
      if (method !== 'GET' && (await known()).read_only)
        throw new Refusal(403, 'forbidden', 'This key is read-only: it changes nothing.');
      return forward(request, response, service, target.slice('/service'.length));
    }
    if (method !== 'GET') throw new Refusal(405, 'method_not_allowed', 'Only GET is answered here.');
    if (path === '/console/session') {
      guard.checkPass(request);
      return sendJson(response, 200, await known());
    }
    // Without the pass: a browser asks for them by itself, and they are no secret.
    await sendAsset(response, path, assets);
  };
}

async function sendAsset(response: ServerResponse, path: string, assets: Assets): Promise<void> {
  const asset = await assets.find(path);
  if (!asset) throw new Refusal(404, 'not_found', 'There is no such file in the console.');
  response.writeHead(200, { ...SAFE_HEADERS, 'content-type': asset.type }).end(asset.bytes);
}
