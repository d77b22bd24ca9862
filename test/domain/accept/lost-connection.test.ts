/** A connection lost while something is committed through it: what was stored is answered for, and nothing else is. */
import { describe, expect, inject, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { createTenant } from '../../../src/domain/tenants.ts';
import type { AppError } from '../../../src/errors.ts';
import { newCommitter, settled } from '../../support/committer.ts';
import { connect, newDatabase } from '../../support/database.ts';
import { startProxy } from '../../support/proxy.ts';
import { newSubmission } from '../../support/submission.ts';

const url = await newDatabase();
const db = connect(url);
const { tenant } = await createTenant(db, 'Acme', BY_COMMAND_LINE);
let scopes = 0;
const newScope = () => `scope-${scopes++}`;

const submission = (scopeId: string, change: Parameters<typeof newSubmission>[2] = {}) =>
  newSubmission(tenant.tenant_id, scopeId, change);

/** Shorter than we are ready to wait to learn what became of a commit. */
const AWAY_MS = 200;

async function behindProxy(answerWithinMs?: number) {
  const server = new URL(inject('postgresUrl'));
  const proxy = await startProxy({ host: server.hostname, port: Number(server.port) });
  const through = new URL(url);
  through.port = String(proxy.port);
  return { proxy, ...newCommitter(connect(through.href), answerWithinMs) };
}
const stored = async (scope: string) =>
  (await db.query('select from documents join scopes using (scope_key, generation) where scope_id = $1', [scope]))
    .rowCount;

describe('a connection lost', () => {
  it.each([
    ['of a document', 'accept_new_documents', {}],
    ['of a document with a key', 'accept_new_documents', { idempotencyKey: 'at the end' }],
    ['of a document with an id', 'accept_new_documents', { documentId: 'the last' }],
    ['of a new version', 'commit', { documentId: 'the first', text: 'Said otherwise.' }],
  ])('while the commit %s is answered is resolved by asking: it was committed', async (_name, statement, change) => {
    const { proxy, committer } = await behindProxy();
    const scope = newScope();
    await committer.accept(submission(scope, { documentId: 'the first' }));
    proxy.cutAfterSending(statement);
    const acceptance = await committer.accept(submission(scope, change));
    expect(proxy.cuts()).toBe(1);
    expect(acceptance.document.seq).toBe(1);
    expect(await stored(scope)).toBe(2);
  });

  it('while a mixed flush is answered: each is told its own place, and what was there before is looked at again', async () => {
    const { proxy, committer, flushes } = await behindProxy();
    const scope = newScope();
    const there = { documentId: 'there', idempotencyKey: 'of what is there' };
    // So many at first that the next flush waits for all that comes at once.
    const first = [there, { documentId: 'repeated' }, { documentId: 'changed' }, ...Array(17).fill({})];
    await Promise.all(first.map((change) => committer.accept(submission(scope, change))));
    const before = flushes();
    proxy.cutAfterSending('accept_new_documents');
    const outcomes = await Promise.all(
      [
        {},
        { documentId: 'chosen' },
        { idempotencyKey: 'mixed' },
        { documentId: 'chosen with a key', idempotencyKey: 'mixed too' },
        there,
        { documentId: 'repeated' },
        { documentId: 'changed', text: 'Said otherwise.' },
      ].map((change) => committer.accept(submission(scope, change)).catch((error: AppError) => error.message)),
    );
    expect(proxy.cuts()).toBe(1);
    expect(flushes() - before).toBe(1);
    expect(outcomes).toMatchObject([
      ...[20, 21, 22, 23].map((seq) => ({ document: { seq, version: 1 }, replayed: false })),
      { document: { seq: 0, version: 1 } },
      { document: { seq: 1, version: 1 }, replayed: false },
      { document: { seq: 24, version: 2 }, replayed: false },
    ]);
    expect(await stored(scope)).toBe(25);
  });

  it('before the commit is a failure that stored nothing', async () => {
    const { proxy, committer } = await behindProxy();
    const scope = newScope();
    await committer.accept(submission(scope, { documentId: 'd' }));
    proxy.cutAfterSending('append_witnessed_events');
    const newVersion = submission(scope, { documentId: 'd', text: 'Said otherwise.' });
    await expect(committer.accept(newVersion)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(proxy.cuts()).toBe(1);
    expect(await stored(scope)).toBe(1);
    expect((await committer.accept(submission(scope))).document.seq).toBe(1);
  });

  it('under load, and back: what was answered is stored, nothing else is, and it serves again by itself', async () => {
    const { proxy, committer } = await behindProxy();
    const scope = newScope();
    const answered: { seq: number; document_id: string }[] = [];
    const refusals: string[] = [];
    let heldUp = 0;
    let stop = false;
    const client = async (_item: unknown, i: number) => {
      for (let n = 0; !stop; n++) {
        // Half of them with ids of their own: after a lost answer, nobody can tell by these who stored them.
        const change = i % 2 ? { documentId: `${i} ${n}` } : {};
        const begun = performance.now();
        const outcome = await committer.accept(submission(scope, change)).catch((error: AppError) => error);
        if (outcome instanceof Error || performance.now() - begun > AWAY_MS / 2) heldUp++;
        if (!(outcome instanceof Error)) {
          const { seq, document_id } = outcome.document;
          answered.push({ seq, document_id });
          continue;
        }
        refusals.push(`${outcome.code} ${outcome.message} ${outcome.cause}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const clients = Promise.all(Array.from({ length: 20 }, client));
    for (let round = 0; round < 5; round++) {
      const before = { answered: answered.length, heldUp };
      await expect.poll(() => answered.length, { interval: 5 }).toBeGreaterThan(before.answered + 50);
      proxy.down();
      await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      proxy.up();
      // Nobody may have been refused: who waits is served when it is back.
      await expect.poll(() => heldUp, { interval: 5 }).toBeGreaterThan(before.heldUp);
    }
    stop = true;
    await clients;
    expect(refusals.filter((refusal) => !refusal.startsWith('unavailable '))).toEqual([]);

    const { rows } = await db.query(
      `select seq::int, document_id from documents join scopes using (scope_key, generation) where scope_id = $1 order by seq`,
      [scope],
    );
    expect(rows, refusals.join('\n')).toEqual(answered.sort((a, b) => a.seq - b.seq));
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from(rows, (_row, i) => i));
  });

  it('leaves nobody without an answer while Postgres is silent: that nothing was stored, or that nobody knows', async () => {
    const { proxy, committer } = await behindProxy(500);
    const scope = newScope();
    await committer.accept(submission(scope));
    proxy.stall();
    const inFlight = committer.accept(submission(scope)).catch((error: AppError) => error);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const waiting = settled(
      [1, 2].map(() => committer.accept(submission(scope))),
      'message',
    );
    expect(await inFlight).toMatchObject({
      message: expect.stringContaining('not known whether this was stored'),
      mayBeStored: true,
    });
    expect(await waiting).toEqual(Array(2).fill(expect.stringContaining('nothing was stored')));
    proxy.up();
    await expect.poll(() => settled([committer.accept(submission(scope))]), { interval: 200 }).toEqual(['ok']);
  });
});
