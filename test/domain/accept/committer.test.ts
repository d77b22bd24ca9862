import { describe, expect, inject, it } from 'vitest';
import { Committer } from '../../../src/domain/accept/committer.ts';
import type { Submission } from '../../../src/domain/accept/submission.ts';
import { deleteScope } from '../../../src/domain/scopes.ts';
import { createTenant } from '../../../src/domain/tenants.ts';
import type { AppError } from '../../../src/errors.ts';
import type { Database } from '../../../src/storage/database.ts';
import { connect, newDatabase } from '../../support/database.ts';
import { startProxy } from '../../support/proxy.ts';
import { newSubmission } from '../../support/submission.ts';

const url = await newDatabase();
const db = connect(url);
const { tenant } = await createTenant(db, 'Acme');
let scopes = 0;
const newScope = () => `scope-${scopes++}`;

const submission = (scopeId: string, change: Partial<Submission> = {}) =>
  newSubmission(tenant.tenant_id, scopeId, change);

function newCommitter(on: Database = db, answerWithinMs = 30_000) {
  const awakened: string[] = [];
  let flushes = 0;
  const counted: Database = {
    ...on,
    once: (...statement) => {
      flushes++;
      return on.once(...statement);
    },
  };
  const committer = new Committer({
    db: counted,
    answerWithinMs,
    onQueued: (_documents, lanes) => awakened.push(...lanes.map(({ scope_id }) => scope_id)),
  });
  return { committer, awakened, flushes: () => flushes };
}

const settled = (promises: Promise<unknown>[]) =>
  Promise.allSettled(promises).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? 'ok' : result.reason.code)),
  );

const settledMessages = (promises: Promise<unknown>[]) =>
  Promise.allSettled(promises).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? 'ok' : result.reason.message)),
  );

describe('a flush', () => {
  it('is shared by what arrives together', async () => {
    const { committer, flushes } = newCommitter();
    const scope = newScope();
    await committer.accept(submission(scope));
    const before = flushes();
    await Promise.all(Array.from({ length: 200 }, () => committer.accept(submission(scope))));
    // At most two: what comes while the first is under way shares the next.
    expect(flushes() - before).toBeLessThanOrEqual(2);
  });

  it('tells of a lane once, when its queue was empty before', async () => {
    const { committer, awakened } = newCommitter();
    const [one, two] = [newScope(), newScope()];
    await Promise.all([one, one, two].map((scope) => committer.accept(submission(scope))));
    await committer.accept(submission(one));
    await committer.accept(submission(newScope(), { route: 'documents' }));
    expect(awakened.sort()).toEqual([one, two].sort());
  });

  it('in which one row violates something fails that row alone', async () => {
    await db.query(`alter table document_contents add constraint planted check (name <> 'poison')`);
    const { committer } = newCommitter();
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
    const { committer } = newCommitter();
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
    const { committer } = newCommitter();
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
    const [one, two] = [newCommitter(), newCommitter(connect(url))];
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
    const { committer } = newCommitter();
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
    const { committer } = newCommitter();
    const scope = newScope();
    const results = settled(Array.from({ length: 10_050 }, () => committer.accept(submission(scope, { text: null }))));
    expect(committer.isFull()).toBe(true);
    const outcomes = await results;
    // One is under way, and ten thousand wait.
    expect(outcomes.filter((outcome) => outcome === 'unavailable')).toHaveLength(49);
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(10_001);
    expect(committer.isFull()).toBe(false);
    await committer.accept(submission(scope));
  });

  it('closes after what waits is committed', async () => {
    const { committer } = newCommitter();
    const accepted = committer.accept(submission(newScope()));
    await committer.close();
    await expect(accepted).resolves.toMatchObject({ replayed: false });
    await expect(committer.accept(submission(newScope()))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a connection lost', () => {
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

  it.each([
    ['of a document', 'accept_documents', {}],
    ['of a document with a key', 'accept_documents', { idempotencyKey: 'at the end' }],
    ['of a document with an id', 'accept_documents', { documentId: 'the last' }],
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

  it('before the commit is a failure that stored nothing', async () => {
    const { proxy, committer } = await behindProxy();
    const scope = newScope();
    await committer.accept(submission(scope, { documentId: 'd' }));
    proxy.cutAfterSending('append_events');
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
    let stop = false;
    const client = async (_item: unknown, i: number) => {
      for (let n = 0; !stop; n++) {
        // Half of them with ids of their own: after a lost answer, nobody can tell by these who stored them.
        const change = i % 2 ? { documentId: `${i} ${n}` } : {};
        const outcome = await committer.accept(submission(scope, change)).catch((error: AppError) => error);
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
      const before = answered.length;
      await expect.poll(() => answered.length, { interval: 5, timeout: 10_000 }).toBeGreaterThan(before + 50);
      // Away for a moment, shorter than we are ready to wait to learn what became of a commit.
      proxy.down();
      await new Promise((resolve) => setTimeout(resolve, 200));
      proxy.up();
    }
    stop = true;
    await clients;
    expect(refusals.length).toBeGreaterThan(0);
    expect(new Set(refusals.map((refusal) => refusal.split(' ', 1)[0]))).toEqual(new Set(['unavailable']));

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
    const inFlight = settledMessages([committer.accept(submission(scope))]);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const waiting = settledMessages([committer.accept(submission(scope)), committer.accept(submission(scope))]);
    expect(await inFlight).toEqual([expect.stringContaining('not known whether this was stored')]);
    expect(await waiting).toEqual(Array(2).fill(expect.stringContaining('nothing was stored')));
    proxy.up();
    await expect
      .poll(() => settled([committer.accept(submission(scope))]), { timeout: 20_000, interval: 200 })
      .toEqual(['ok']);
  });
});

describe('a scope made on first use', () => {
  it('is never seen without its document: deleting it at the same moment finds neither or both', async () => {
    const { committer } = newCommitter();
    for (let round = 0; round < 200; round++) {
      const scope = newScope();
      const posted = committer.accept(submission(scope));
      let found = false;
      let settled = false;
      void posted.finally(() => {
        settled = true;
      });
      while (!settled && !found)
        found = await deleteScope(db, tenant.tenant_id, scope).then(
          () => true,
          () => false,
        );
      await posted;
      const { rowCount } = await db.query('select from scopes where scope_id = $1', [scope]);
      expect(rowCount, `deleted: ${found}`).toBe(found ? 0 : 1);
    }
  });
});
