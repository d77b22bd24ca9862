/** The kernel's own routes: its health, its hatchery, how far scopes have converged, its metrics. */
import { Type } from '@sinclair/typebox';
import { ConvergencePayload, ConvergenceQuery } from '../../contract/convergence.ts';
import { HatcherySnapshot, KernelHealth } from '../../contract/kernel.ts';
import type { App, Deps } from '../deps.ts';

const tags = ['kernel'];

export function mountKernel(app: App, { kernel, db, convergence }: Deps): void {
  app.get(
    '/kernel/health',
    {
      schema: {
        operationId: 'getKernelHealth',
        summary: 'Does work that can run make progress?',
        tags,
        response: { 200: KernelHealth, 503: KernelHealth },
      },
    },
    async (_request, reply) => {
      const health = await kernel.health();
      return reply.code(health.status === 'ok' ? 200 : 503).send(health);
    },
  );

  app.get(
    '/kernel/hatchery/snapshot',
    {
      schema: {
        operationId: 'getHatcherySnapshot',
        summary: 'What the workers of this node do, and the load of all nodes',
        tags,
        response: { 200: HatcherySnapshot },
      },
    },
    () => kernel.snapshot(),
  );

  app.get(
    '/kernel/convergence',
    {
      schema: {
        operationId: 'getConvergence',
        summary: 'How far scopes have converged, of all tenants or of one',
        tags,
        querystring: ConvergenceQuery,
        response: { 200: ConvergencePayload },
      },
    },
    (request) => convergence.list(db, request.query),
  );

  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        summary: 'The same figures for Prometheus',
        tags,
        response: { 200: Type.String({ contentMediaType: 'text/plain', examples: ['docket_backlog_documents 0'] }) },
      },
    },
    async (_request, reply) => {
      const { contentType, text } = await kernel.metrics();
      return reply.type(contentType).serializer(String).send(text);
    },
  );
}
