/** Who changed what: GET /admin/audit, page by page, and GET /admin/audit/export, all of it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditEntry, AuditFilter, AuditLines, AuditList, AuditQuery } from '../../contract/audit.ts';
import { exportAudit, listAudit } from '../../domain/audit.ts';
import { AppError } from '../../errors.ts';
import { ndjsonLine } from '../../ndjson.ts';
import { takeTurnOfOperators, turnsOfOperators } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { LongAnswer } from '../long-answer.ts';
import { checkKeysAgain } from '../request-keys.ts';

const tags = ['audit'];

/** Exports of this process at once. Each takes a turn of those who read for each piece, and none between two. */
const EXPORTS = 4;
const RETRY_AFTER_S = 5;
/** For the next piece of one that has begun, which would be broken off. */
const TURN_PATIENCE_MS = 60_000;

export function mountAudit(app: App, deps: Deps): void {
  app.get(
    '/audit',
    {
      preHandler: takeTurnOfOperators(deps.reads),
      schema: {
        operationId: 'listAudit',
        summary: 'Who changed what, the newest first',
        description: 'Pass `next_cursor` as `cursor` until it is null: a page before that may be short, or empty.',
        tags,
        querystring: AuditQuery,
        response: { 200: AuditList },
      },
    },
    (request) => listAudit(deps.db, request.query),
  );

  let open = 0;
  app.get(
    '/audit/export',
    {
      // Of what is written as it is read there is no head without the rest.
      exposeHeadRoute: false,
      // Each piece has time-outs of its own.
      config: { boundsItself: true },
      schema: {
        operationId: 'exportAudit',
        summary: 'The same as lines of JSON, the oldest first',
        description:
          'Each line is an AuditEntry; all that were there when it began. One that is cut off lacks the end of its chunks.',
        tags,
        querystring: AuditFilter,
        response: { 200: AuditLines },
      },
    },
    async (request, reply) => {
      if (open >= EXPORTS) throw tooMany();
      open++;
      await sendLines(deps, request, reply, exportAudit(deps.db, request.query)).finally(() => open--);
    },
  );
}

const tooMany = () =>
  new AppError('unavailable', `This node has ${EXPORTS} exports open, which is as many as it may; try again.`, {
    retryAfterSeconds: RETRY_AFTER_S,
  });

/** What is wrong with the first piece is said before the first byte. */
async function sendLines(
  { reads, keyring, answerWithinMs }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncGenerator<AuditEntry[]>,
): Promise<void> {
  const inTurn = turnsOfOperators(reads, reply);
  const next = async (patienceMs: number) => {
    const { value } = await inTurn(patienceMs, () => pieces.next());
    return value as AuditEntry[] | undefined;
  };
  let piece = await next(answerWithinMs);
  const answer = new LongAnswer(request, reply, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  try {
    for (; piece; piece = await next(TURN_PATIENCE_MS)) {
      if (piece.length > 0 && !(await answer.sendPatiently(piece.map(ndjsonLine).join('')))) return;
      await checkKeysAgain(request, keyring);
    }
    answer.finish();
  } catch (error) {
    // The client sees that there is no end.
    if (answer.isOpen) request.log.warn({ err: error }, 'an export was broken off');
    answer.breakOff();
  }
}
