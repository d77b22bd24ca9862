/** Takes over the trace of a request that has one: into the lines of its log, and for what the request brings. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseTraceparent, type Trace } from '../domain/trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the caller, if it has sent a valid one. */
    trace: Trace | null;
  }
}

export function declareTrace(app: FastifyInstance): void {
  app.decorateRequest('trace', null);
}

/** For a request with the header: the others pay for no more than a look at it. */
export function takeTrace(request: FastifyRequest, reply: FastifyReply, header: string): void {
  request.trace = parseTraceparent(header);
  if (!request.trace) return;
  const log = request.log.child(idsOf(request));
  request.log = log;
  reply.log = log;
}

/** As the log calls them; nothing of a request without a trace. */
export function idsOf({ trace }: FastifyRequest): { trace_id?: string; parent_id?: string } {
  return trace ? { trace_id: trace.traceId, parent_id: trace.parentId } : {};
}
