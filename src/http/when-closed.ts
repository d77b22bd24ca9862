/** What is to be done when an answer is over. */
import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/** Sent or not. An answer whose client has gone already tells nobody again: then it is done at once. */
export function whenClosed(reply: FastifyReply, done: () => void): void {
  if (isClosed(reply)) done();
  else reply.raw.on('close', done);
}

export const isClosed = ({ raw }: FastifyReply): boolean => raw.closed || raw.destroyed;

/** Nobody hears of it; and it is no error of ours that would be worth a line in the log. */
export const clientGone = () => new AppError('unavailable', 'The client has gone.', { retryAfterSeconds: 1 });
