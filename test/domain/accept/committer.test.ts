import { describe, expect, it } from 'vitest';
import type { Submission } from '../../../src/domain/accept/submission.ts';
import { deleteScope } from '../../../src/domain/scopes.ts';
import { createTenant } from '../../../src/domain/tenants.ts';
import { newCommitter, settled } from '../../support/committer.ts';
import { connect, newDatabase } from '../../support/database.ts';
import { newSubmission } from '../../support/submission.ts';

const url = await newDatabase();
const db = connect(url);
const { tenant } = await createTenant(db, 'Acme');
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
    expect(committer.isFull()).toBe(true);
    const outcomes = await results;
    // One is under way, and ten thousand wait.
    expect(outcomes.filter((outcome) => outcome === 'unavailable')).toHaveLength(49);
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(10_001);
    expect(committer.isFull()).toBe(false);
    await committer.accept(submission(scope));
  });

  it('closes after what waits is committed', async () => {
    const { committer } = newCommitter(db);
    const accepted = committer.accept(submission(newScope()));
    await committer.close();
    await expect(accepted).resolves.toMatchObject({ replayed: false });
    await expect(committer.accept(submission(newScope()))).rejects.toMatchObject({ code: 'unavailable' });
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
