import { describe, expect, it } from 'vitest';
import { Committer } from '../../../src/domain/accept/committer.ts';
import type { Submission } from '../../../src/domain/accept/submission.ts';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { deleteScope } from '../../../src/domain/scopes.ts';
import { createTenant } from '../../../src/domain/tenants.ts';
import type { Database } from '../../../src/storage/database.ts';
import { newCommitter, settled } from '../../support/committer.ts';
import { connect, newDatabase } from '../../support/database.ts';
import { newSubmission } from '../../support/submission.ts';

const url = await newDatabase();
const db = connect(url);
const { tenant } = await createTenant(db, 'Acme', BY_COMMAND_LINE);
let scopes = 0;
const newScope = () => `scope-${scopes++}`;

const submission = (scopeId: string, change: Partial<Submission> = {}) =>
  newSubmission(tenant.tenant_id, scopeId, change);

describe('a flush', () => {
  it('is shared by what arrives together', async () => {
    const { committer, flushes } = newCommitter(db);
    const scope = newScope();
    await committer.accept(submission(scope));
    const before = flushes();
    await Promise.all(Array.from({ length: 200 }, () => committer.accept(submission(scope))));
    // At most two: what comes while the first is under way shares the next.
    expect(flushes() - before).toBeLessThanOrEqual(2);
  });

  it('is sent before those of the one before it are answered: Postgres works on it meanwhile', async () => {
    const { committer, flushes } = newCommitter(db);
    const scope = newScope();
    const first = committer.accept(submission(scope)).then(flushes);
    // What arrives in a later turn waits for the next flush, which there is then.
    await new Promise(setImmediate);
    const others = [1, 2, 3].map(() => committer.accept(submission(scope)));
    expect(await first).toBe(2);
    await Promise.all(others);
    expect(flushes()).toBe(2);
  });

  it('has no document in it overtaken by a later one of its id to whose scope something large was sent', async () => {
    const scope = newScope();
    await newCommitter(db).committer.accept(submission(scope));
    const stored = Promise.withResolvers<void>();
    const slow: Database = {
      ...db,
      once: async (statement, values, readBack) => {
        if (values.some((value) => Buffer.isBuffer(value) && value.includes('the first'))) await stored.promise;
        return db.once(statement, values, readBack);
      },
    };
    const { committer } = newCommitter(slow);
    // While it is stored the others wait for one flush.
    const other = committer.accept(submission(newScope()));
    const first = committer.accept(submission(scope, { documentId: 'd', text: 'the first' }));
    const large = committer.accept(submission(scope, { text: 'long '.repeat(10_000) }));
    const second = committer.accept(submission(scope, { documentId: 'd', text: 'the second' }));
    await Promise.all([other, large]);
    stored.resolve();
    expect([(await first).document.version, (await second).document.version]).toEqual([1, 2]);
  });

  it('answers what is stored before it looks at what was sent before', async () => {
    const scope = newScope();
    await newCommitter(db).committer.accept(submission(scope, { documentId: 'd' }));
    const looking = Promise.withResolvers<void>();
    const slow: Database = { ...db, transaction: (work) => looking.promise.then(() => db.transaction(work)) };
    const { committer } = newCommitter(slow);
    // Those that come while a first one is under way share the next flush.
    const first = committer.accept(submission(scope));
    const again = committer.accept(submission(scope, { documentId: 'd', text: 'another' }));
    await expect(committer.accept(submission(scope))).resolves.toMatchObject({ replayed: false });
    looking.resolve();
    await first;
    await expect(again).resolves.toMatchObject({ document: { version: 2 } });
  });

  it('tells of a lane once, when its queue was empty before', async () => {
    const { committer, awakened } = newCommitter(db);
    const [one, two] = [newScope(), newScope()];
    await Promise.all([one, one, two].map((scope) => committer.accept(submission(scope))));
    await committer.accept(submission(one));
    await committer.accept(submission(newScope(), { route: 'documents' }));
    expect(awakened.sort()).toEqual([one, two].sort());
  });

  it('in which one row violates something fails that row alone', async () => {
    await db.query(`alter table document_contents add constraint planted check (name <> 'poison')`);
    const { committer } = newCommitter(db);
    const scope = newScope();
    const names = ['a', 'poison', 'b', 'c'];
    expect(await settled(names.map((name) => committer.accept(submission(scope, { name }))))).toEqual([
      'ok',
      'internal',
      'ok',
      'ok',
    ]);
    const { rows } = await db.query('select next_seq::int, queued::int from scopes where scope_id = $1', [scope]);
    expect(rows).toEqual([{ next_seq: 3, queued: 3 }]);
    await db.query('alter table document_contents drop constraint planted');
  });

  it('with a tenant that is gone fails that tenant alone', async () => {
    const { committer } = newCommitter(db);
    const scope = newScope();
    expect(
      await settled([
        committer.accept(submission(scope)),
        committer.accept(submission(scope, { tenantId: 'ten_gone' })),
      ]),
    ).toEqual(['ok', 'unauthorized']);
  });
});

describe('what was sent before', () => {
  it('shares a flush with what is new: each has its answer, and the numbers have no gap', async () => {
    const { committer } = newCommitter(db);
    const scope = newScope();
    const keyed = submission(scope, { idempotencyKey: `of ${scope}` });
    const named = submission(scope, { documentId: 'named' });
    for (const one of [keyed, named]) await committer.accept(one);
    const together = [
      submission(scope),
      keyed,
      submission(scope, { documentId: 'another' }),
      named,
      submission(scope, { idempotencyKey: `another of ${scope}` }),
      { ...keyed, text: 'Said otherwise.' },
      submission(scope, { documentId: 'named', text: 'Said otherwise.' }),
      submission(scope),
    ];
    const answers = await Promise.all(
      together.map((one) =>
        committer.accept(one).then(
          ({ document, replayed }) => `${document.seq} v${document.version}${replayed ? ' again' : ''}`,
          ({ code }) => code,
        ),
      ),
    );
    const [first, again, second, same, third, reused, newVersion, last] = answers;
    expect({ again, same, reused }).toEqual({ again: '0 v1 again', same: '1 v1', reused: 'idempotency_key_reused' });
    expect([first, second, third, last, newVersion].sort()).toEqual(['2 v1', '3 v1', '4 v1', '5 v1', '6 v2']);
  });

  it('to another process at the same moment, by the same key: one is accepted, and the other is told', async () => {
    const [one, two] = [newCommitter(db), newCommitter(connect(url))];
    for (let round = 0; round < 50; round++) {
      const change = { idempotencyKey: `race ${round}` };
      const scopes = [newScope(), newScope()] as const;
      for (const scope of scopes) await one.committer.accept(submission(scope));
      const outcomes = await settled([
        one.committer.accept(submission(scopes[0], change)),
        two.committer.accept(submission(scopes[1], change)),
      ]);
      expect(outcomes.sort()).toEqual(['idempotency_key_reused', 'ok']);
    }
  });
});

describe('two hundred of one document with changing content', () => {
  it('become versions in the order in which they came', async () => {
    const { committer } = newCommitter(db);
    const scope = newScope();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_item, i) =>
        committer.accept(submission(scope, { documentId: 'd', text: `text ${i >> 1}` })),
      ),
    );
    expect(answers.map(({ document }) => document.version)).toEqual(
      Array.from({ length: 60 }, (_item, i) => (i >> 1) + 1),
    );
  });
});

describe('bounds', () => {
  it('refuses more than it can hold, and takes again when there is room', async () => {
    const { committer } = newCommitter(db);
    const scope = newScope();
    const results = settled(Array.from({ length: 10_050 }, () => committer.accept(submission(scope, { text: null }))));
    expect(committer.isFull(tenant.tenant_id)).toBe(true);
    const outcomes = await results;
    // Half of the room.
    expect(outcomes.filter((outcome) => outcome === 'unavailable')).toHaveLength(50);
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(10_000);
    expect(committer.isFull(tenant.tenant_id)).toBe(false);
    await committer.accept(submission(scope));
  });

  it('has room for one tenant, and soon, however much another has waiting', async () => {
    const { committer } = newCommitter(db);
    const { tenant: other } = await createTenant(db, 'Greedy', BY_COMMAND_LINE);
    const [scope, greedy] = [newScope(), newScope()];
    await committer.accept(submission(scope));
    let stored = 0;
    const theirs = Array.from({ length: 10_050 }, () =>
      committer.accept(newSubmission(other.tenant_id, greedy, { text: null })).then(() => stored++),
    );
    const results = Promise.allSettled(theirs);
    expect(committer.isFull(other.tenant_id)).toBe(true);
    expect(committer.isFull(tenant.tenant_id)).toBe(false);
    await committer.accept(submission(scope));
    // The flush that was under way, and the one that it shared.
    expect(stored).toBeLessThan(400);
    await results;
    expect(stored).toBe(10_000);
  });

  it('closes after what waits is committed', async () => {
    const { committer } = newCommitter(db);
    const accepted = committer.accept(submission(newScope()));
    await committer.close();
    await expect(accepted).resolves.toMatchObject({ replayed: false });
    await expect(committer.accept(submission(newScope()))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('something large', () => {
  const LARGE = 'x'.repeat(100_000);

  it('keeps nobody waiting but those who send to its scope', async () => {
    const stored = Promise.withResolvers<void>();
    const slow: Database = {
      ...db,
      once: async (...statement) => {
        if (JSON.stringify(statement).includes(LARGE)) await stored.promise;
        return db.once(...statement);
      },
    };
    const { committer } = newCommitter(slow);
    const large = committer.accept(submission(newScope(), { text: LARGE }));
    const small = Array.from({ length: 5 }, () => committer.accept(submission(newScope())));
    expect(await settled(small)).toEqual(Array(5).fill('ok'));
    stored.resolve();
    expect(await settled([large])).toEqual(['ok']);
  });

  it('keeps its place among the versions of its document, and its key', async () => {
    const { committer } = newCommitter(db);
    const scope = newScope();
    const texts = ['a', LARGE, 'b', `${LARGE}c`, 'd', 'e', `${LARGE}f`];
    const versions = await Promise.all(
      texts.map((text) => committer.accept(submission(scope, { documentId: 'd', text }))),
    );
    expect(versions.map(({ document }) => document.version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const again = Array.from({ length: 4 }, () =>
      committer.accept(submission(scope, { documentId: 'k', text: LARGE, idempotencyKey: `large in ${scope}` })),
    );
    const ids = (await Promise.all(again)).map(({ document }) => document.seq);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a scope that somebody else has locked', () => {
  /** Holds the row of a scope, as a report in psql or a frozen worker would. */
  async function lock(scope: string) {
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = db.transaction(async (tx) => {
      await tx.query('select from scopes where scope_id = $1 for update', [scope]);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    return () => {
      released.resolve();
      return holding;
    };
  }

  it('keeps nobody waiting but those who send to it, and they are stored in their order', async () => {
    const { committer } = newCommitter(db);
    const [held, free] = [newScope(), newScope()];
    for (const scope of [held, free]) await committer.accept(submission(scope));
    const unlock = await lock(held);
    const waiting = Array.from({ length: 30 }, (_item, i) =>
      committer.accept(submission(held, { documentId: 'd', text: `text ${i >> 1}` })),
    );
    let over = false;
    void Promise.allSettled(waiting).then(() => {
      over = true;
    });
    for (let round = 0; round < 5; round++)
      await Promise.all([
        committer.accept(submission(free)),
        committer.accept(submission(newScope())),
        committer.accept(submission(free, { documentId: `d${round >> 1}` })),
      ]);
    expect(over).toBe(false);
    await unlock();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ document }) => document.version)).toEqual(answers.map((_item, i) => (i >> 1) + 1));
    expect(answers.map(({ document }) => document.seq)).toEqual(answers.map((_item, i) => (i >> 1) + 1));
  });

  it('holds its names: the same key is one document, and in another scope it is refused', async () => {
    const { committer } = newCommitter(db);
    const [held, free] = [newScope(), newScope()];
    for (const scope of [held, free]) await committer.accept(submission(scope));
    const unlock = await lock(held);
    const change = { idempotencyKey: `of ${held}` };
    const first = committer.accept(submission(held, change));
    // It has left the shared flush when what came after it was stored.
    await committer.accept(submission(free));
    const results = settled([
      first,
      committer.accept(submission(held, change)),
      committer.accept(submission(free, change)),
    ]);
    await committer.accept(submission(free));
    await unlock();
    expect(await results).toEqual(['ok', 'ok', 'idempotency_key_reused']);
    const { rows } = await db.query('select next_seq::int from scopes where scope_id = any ($1) order by scope_key', [
      [held, free],
    ]);
    expect(rows).toEqual([{ next_seq: 2 }, { next_seq: 3 }]);
  });

  it('is given up in time, with what waits for it', async () => {
    const { committer } = newCommitter(db, 1500);
    const [held, free] = [newScope(), newScope()];
    for (const scope of [held, free]) await committer.accept(submission(scope));
    const unlock = await lock(held);
    const change = { idempotencyKey: `late ${held}` };
    expect(await settled([submission(held, change), submission(held)].map((one) => committer.accept(one)))).toEqual([
      'unavailable',
      'unavailable',
    ]);
    await unlock();
    await committer.accept(submission(held));
  });
});

describe('a scope made on first use', () => {
  it('is never seen without its document: deleting it at the same moment finds neither or both', async () => {
    const { committer } = newCommitter(db);
    for (let round = 0; round < 200; round++) {
      const scope = newScope();
      const posted = committer.accept(submission(scope));
      let found = false;
      let settled = false;
      void posted.finally(() => {
        settled = true;
      });
      while (!settled && !found)
        found = await deleteScope(db, tenant.tenant_id, scope, BY_COMMAND_LINE).then(
          () => true,
          () => false,
        );
      await posted;
      const { rowCount } = await db.query('select from scopes where scope_id = $1', [scope]);
      expect(rowCount, `deleted: ${found}`).toBe(found ? 0 : 1);
    }
  });
});

it('goes on when whoever is told of what was queued fails', async () => {
  const errors: unknown[] = [];
  const failing = new Committer({
    db,
    answerWithinMs: 30_000,
    scopesPerTenant: 1000,
    onQueued: () => {
      throw new Error('nobody there');
    },
    onError: (error) => errors.push(error),
  });
  const { tenant_id } = (await createTenant(db, 'told', BY_COMMAND_LINE)).tenant;
  for (const seq of [0, 1])
    expect(await failing.accept(newSubmission(tenant_id, 's'))).toMatchObject({ document: { seq, state: 'queued' } });
  expect(errors).toEqual([new Error('nobody there'), new Error('nobody there')]);
  await failing.close();
});

it('of two processes that get one key at once for two new scopes, one takes it', async () => {
  const processes = [1, 2].map(() => newCommitter(connect(url)).committer);
  for (let round = 0; round < 10; round++) {
    const sent = processes.map(() => submission(newScope(), { idempotencyKey: `of two ${round}` }));
    const send = () => settled(processes.map((committer, i) => committer.accept(sent[i] as Submission)));
    const outcomes = await send();
    expect(outcomes.toSorted()).toEqual(['idempotency_key_reused', 'ok']);
    // Who was told that it is stored finds it.
    expect(await send()).toEqual(outcomes);
  }
});
