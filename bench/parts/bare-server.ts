/** A bare Fastify route as a process of its own: the schemas of POST /api/ingest, and nothing else. */
import type { AddressInfo } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { TenantIdHeader } from '../../src/contract/common.ts';
import { IngestDocumentRequest, IngestDocumentResponse } from '../../src/contract/documents.ts';

const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
let seq = 0;

app.post(
  '/api/ingest',
  { schema: { headers: TenantIdHeader, body: IngestDocumentRequest, response: { 202: IngestDocumentResponse } } },
  async ({ body }, reply) => {
    reply.code(202);
    return {
      scope_id: body.scope_id,
      name: body.name,
      type: body.type,
      document_id: body.document_id ?? `doc_${seq}`,
      idempotency_key: body.idempotency_key ?? null,
      queued: true as const,
      seq: seq++,
      integration_version: 'v1' as const,
      message: 'Queued for processing.',
    };
  },
);

await app.listen({ host: '127.0.0.1', port: 0 });
process.on('disconnect', () => process.exit());
process.send?.({ port: (app.server.address() as AddressInfo).port });
