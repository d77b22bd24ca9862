import { expect, it } from 'vitest';
import { rounds } from '../../support/rounds.ts';
import { startTestService } from '../../support/service.ts';

const ROUNDS = rounds(5, 50);
const service = await startTestService();

it(`the same idempotency_key two hundred times at once, ${ROUNDS} times over: one row, one seq, no 5xx`, async () => {
  const { tenantId } = await service.newTenant();
  for (let round = 0; round < ROUNDS; round++) {
    const scope_id = `scope-${round}`;
    const body = { scope_id, name: 'A name', text: 'Some text.', idempotency_key: `storm ${round}` };
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => service.call('POST', '/api/ingest', { tenantId, body })),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${JSON.stringify(answer.body)}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(answers.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
    const { rows } = await service.db.query(
      `select next_seq::int, queued::int, (select count(*)::int from documents where scope_key = scopes.scope_key) as documents
         from scopes where scope_id = $1`,
      [scope_id],
    );
    expect(rows).toEqual([{ next_seq: 1, queued: 1, documents: 1 }]);
  }
});
