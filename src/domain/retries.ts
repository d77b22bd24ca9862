/** Sends what has failed back to the queue, in all tenants: by a filter, or by name. */
import type { Static } from '@sinclair/typebox';
import type { RetryAnswer, RetryRequest } from '../contract/found-documents.ts';
import { AppError, invalid } from '../errors.ts';
import { appendEvents, type NewEvent } from '../events/log.ts';
import { type Database, isForeignKeyViolation } from '../storage/database.ts';
import { listFailedByNameAcrossTenants, type ScopedSeq } from '../storage/found-documents.ts';
import type { LaneName } from '../storage/lanes.ts';
import { findMoment, type RetriedDocument, retryDocumentsAcrossTenants } from '../storage/retries.ts';
import { isDeadlock } from './accept/flush.ts';
import { short } from './actor.ts';
import { type Deed, type Noted, noteDeeds } from './audit.ts';
import { toFilter, walkFor } from './found-documents.ts';

/** Pieces, each a transaction, so that nobody who posts to their scopes waits long for them; and rows to be looked at for one. */
const PIECE = { found: 1000, lookedAt: 5000 };
/** Where they are only counted. */
const COUNTED_PIECE = { found: 2000, lookedAt: 5000 };
/** Then the caller is told how far it came, and may call again. */
const PATIENCE_MS = 10_000;
/** For scopes that somebody else has locked, in each piece. */
const LOCK_PATIENCE_MS = 500;
/** Tenants that are deleted meanwhile have a piece undone. */
const TRIES = 3;

export interface RetryOptions {
  onQueued: (documents: number, awakened: LaneName[]) => void;
  /** Each piece waits for its turn, so long; then it is refused as late. */
  inTurn: <Result>(patienceMs: number, work: () => Promise<Result>) => Promise<Result>;
  deed: Deed;
}

type Answer = Static<typeof RetryAnswer>;

export async function retryDocuments(
  db: Database,
  { ids, dry_run: isDryRun = false, ...wanted }: Static<typeof RetryRequest>,
  { onQueued, inTurn, deed }: RetryOptions,
): Promise<Answer> {
  if (!ids) requireOneOf(wanted);
  const asked = toFilter({ ...wanted, state: 'failed' }, 'body');
  // What fails again is not tried again by the same call, nor by the next if it is told this moment. Nothing is older than computers.
  const before = Math.max(0, Math.min(asked.before ?? Number.POSITIVE_INFINITY, await findMoment(db)));
  const filter = { ...asked, before };
  const older_than = new Date(before).toISOString();
  const answer: Answer = { matched: 0, queued: 0, complete: true, older_than };
  const { error } = wanted;
  const notedOf = ids
    ? byName
    : byFilter({ state: 'failed', ...(error !== undefined && { error: short(error) }), older_than });
  const send = async (places: ScopedSeq[]): Promise<void> => {
    answer.matched += places.length;
    if (isDryRun || places.length === 0) return;
    const { documents, awakened, left_out } = await sendPiece(db, places, deed, notedOf);
    answer.queued += documents.length;
    if (left_out) answer.complete = false;
    if (documents.length > 0) onQueued(documents.length, awakened);
  };
  if (ids) await inTurn(PATIENCE_MS, async () => send(await listFailedByNameAcrossTenants(db, ids, filter)));
  else if (!(await sendAll(db, filter, isDryRun ? COUNTED_PIECE : PIECE, inTurn, send))) answer.complete = false;
  return answer;
}

/** Piece by piece; false when there was more than there was time for. */
async function sendAll(
  db: Database,
  filter: Parameters<typeof walkFor>[0],
  piece: typeof PIECE,
  inTurn: RetryOptions['inTurn'],
  send: (places: ScopedSeq[]) => Promise<void>,
): Promise<boolean> {
  const { next } = walkFor(filter);
  const deadline = performance.now() + PATIENCE_MS;
  for (let place: string | null = null; ; ) {
    const from = place;
    const look = async () => {
      const found = await next(db, from, piece);
      await send(found.places);
      return found;
    };
    const { reached } = await inTurn(deadline - performance.now(), look).catch((error) => {
      // What was done before stands, and its caller hears of it.
      if (from !== null && isLate(error)) return { reached: undefined };
      throw error;
    });
    if (reached === null) return true;
    if (reached === undefined || performance.now() > deadline) return false;
    place = reached;
  }
}

const isLate = (error: unknown) => error instanceof AppError && error.reason === 'late';

/** Whoever means all that has failed in all tenants says so: else it would be what is left when a filter is forgotten. */
function requireOneOf({ state, tenant_id, error, older_than }: Static<typeof RetryRequest>): void {
  if (state ?? tenant_id ?? error ?? older_than) return;
  throw invalid('body', 'must say what to retry: state, tenant_id, error, older_than or ids');
}

/** One transaction: a crash leaves all of it or nothing. */
async function sendPiece(db: Database, places: ScopedSeq[], deed: Deed, notedOf: (sent: RetriedDocument[]) => Noted[]) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(async (tx) => {
        const retried = await retryDocumentsAcrossTenants(tx, places, LOCK_PATIENCE_MS);
        const told = retried.documents.map(({ tenant_id, scope_id, ...payload }): NewEvent => {
          return { type: 'document.queued', tenant_id, scope_id, payload };
        });
        if (told.length > 0) {
          await noteDeeds(tx, deed, ...notedOf(retried.documents));
          await appendEvents(tx, told);
        }
        return retried;
      });
    } catch (error) {
      if (attempt === TRIES || !(isForeignKeyViolation(error) || isDeadlock(error))) throw error;
    }
  }
}

/** One for each document. */
const byName = (sent: RetriedDocument[]) =>
  sent.map(({ tenant_id, scope_id, document_id, version }): Noted => {
    return { action: 'document.retried', tenant_id, scope_id, subject: document_id, after: { version } };
  });

/** One for each scope, with what was looked for: of all tenants it says of each whose documents they were. */
const byFilter = (filter: object) => (sent: RetriedDocument[]) =>
  [...Map.groupBy(sent, ({ tenant_id, scope_id }) => `${tenant_id} ${scope_id}`).values()].map((its): Noted => {
    const { tenant_id, scope_id } = its[0] as RetriedDocument;
    return { action: 'document.retried', tenant_id, scope_id, after: { queued: its.length, filter } };
  });
