/** A service of one route that does one thing wrong, to see that the fuzzer says so. */
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../src/contract/problem.ts';
import { createServer } from '../../../src/http/server.ts';
import { createLog } from '../../../src/log.ts';
import { later } from '../../support/later.ts';
import { type FuzzReport, fuzz } from './fuzz.ts';
import type { Json } from './operations.ts';
import type { World } from './world.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

const { title: _title, ...problem } = Problem;
const refusal = {
  description: 'no',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const fields = { name: Type.String({ minLength: 1, maxLength: 20 }) };
const body = Type.Object(fields, { additionalProperties: false });

/** POST /api/thing takes a name and answers 200 with it. */
const contract: Json = {
  openapi: '3.1.0',
  components: { schemas: { Problem: problem } },
  paths: {
    '/api/thing': {
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
        responses: {
          200: { description: 'yes', content: { 'application/json': { schema: Type.Object(fields) } } },
          ...Object.fromEntries([400, 413, 415].map((status) => [status, refusal])),
        },
      },
    },
  },
};

const nobody: World = {
  admin: 'a',
  internals: 'i',
  tenantId: 't',
  tenantKey: 'k',
  streamToken: 't',
  victims: [{ tenantId: 't', keyPrefix: 'k' }],
  scopes: ['s'],
  documents: ['d'],
  contradictions: [{ scopeId: 's', id: 'c' }],
  batchItem: body,
};

/** What the fuzzer finds in a service whose route has this handler, and checks its bodies or not. */
export async function fuzzPlanted(handler: Handler, { checksBodies = true, requests = 60 } = {}): Promise<FuzzReport> {
  const app = createServer(
    { requestTimeoutMs: 5000, handlerTimeoutMs: 5000, maxConnections: 100, onUnavailable: () => {} },
    createLog('silent'),
  );
  app.post('/api/thing', checksBodies ? { schema: { body } } : {}, handler);
  // The wire's own cases look at these.
  app.get('/api/health', () => ({}));
  app.get('/admin/health', () => ({}));
  app.post('/admin/tenants', () => ({}));
  later(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return fuzz({ url, document: contract, world: nobody, requests, seed: 7 });
}
