/** What is to be done when an answer is over, or the work on it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What its handler does, once it has begun. */
    work: Promise<unknown> | null;
  }
}

export function noteWork(app: FastifyInstance): void {
  app.decorateRequest('work', null);
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const work: unknown = handler.call(this, request, reply);
      if (work instanceof Promise) request.work = work;
      return work;
    };
  });
}

/** Whoever asks and hangs up leaves a query behind, which goes on: what it takes is not free before that has ended. */
export function whenOver(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  whenClosed(reply, () => {
    if (request.work) request.work.then(done, done);
    else done();
  });
}

/** Sent or not. An answer whose client has gone already tells nobody again: then it is done at once. */
export function whenClosed(reply: FastifyReply, done: () => void): void {
  if (isClosed(reply)) done();
  else reply.raw.on('close', done);
}

export const isClosed = ({ raw }: FastifyReply): boolean => raw.closed || raw.destroyed;

export const late = () =>
  new AppError('unavailable', 'The answer took too long; try again.', { retryAfterSeconds: 1, reason: 'late' });

/** Nobody hears of it; and it is no error of ours that would be worth a line in the log. */
export const clientGone = () => new AppError('unavailable', 'The client has gone.', { retryAfterSeconds: 1 });
