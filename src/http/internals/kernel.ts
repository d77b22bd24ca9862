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
      config: { standsThroughOutages: true },
      schema: {
        operationId: 'getKernelHealth',
        summary: 'Does work that can run make progress?',
        description:
          '503 when the database does not answer, or when there is work that could run and none was done for a ' +
          'while.',
        tags,
        response: { 200: KernelHealth, 503: KernelHealth },
      },
    },
    async (request, reply) => {
      const health = await kernel.health(request.waitedMs);
      return reply.code(health.status === 'ok' ? 200 : 503).send(health);
    },
  );

  app.get(
    '/kernel/hatchery/snapshot',
    {
      schema: {
        operationId: 'getHatcherySnapshot',
        summary: 'What the workers of this node do, and the load of all nodes',
        description: 'Each worker with what it has in hand, what the hatchery did last, and the nodes that there are.',
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
        description:
          'Of each scope the dimensions of its score, what blocks it, and the last points. Pass `next_cursor` as ' +
          '`cursor` until it is null.',
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
      config: { standsThroughOutages: true },
      schema: {
        operationId: 'getMetrics',
        summary: 'The same figures for Prometheus',
        description:
          'In the text format of Prometheus. Each node tells of itself; what is of the whole service says so.',
        tags,
        response: { 200: Type.String({ contentMediaType: 'text/plain', examples: ['docket_backlog_documents 0'] }) },
      },
    },
    async (request, reply) => {
      const { contentType, text } = await kernel.metrics(request.waitedMs);
      return reply.type(contentType).serializer(String).send(text);
    },
  );
}
