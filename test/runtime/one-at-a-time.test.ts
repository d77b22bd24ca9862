/** The line in which the statements of workers wait for each other, on a real Postgres. */
import { expect, it } from 'vitest';
import { OneAtATime, type TurnInHand } from '../../src/runtime/one-at-a-time.ts';
import { connect, newDatabase } from '../support/database.ts';

const db = connect(await newDatabase());

/** Gives way for as long as it takes, unless told otherwise: a machine may be slow. */
function newLine(giveWayTo: () => Promise<unknown> | null = () => null, giveWayMs = 60_000) {
  const line = new OneAtATime(db, giveWayTo, giveWayMs);
  const ended: string[] = [];
  /** A turn of so many statements. */
  const take = (turn: TurnInHand, statements = 1) =>
    line.during(turn, async (its) => {
      for (let n = 0; n < statements; n++) {
        await its.query('select 1');
        ended.push(turn.tenantId);
      }
    });
  return { line, ended, take };
}

const LIGHT = { tenantId: 'light', isSmall: true };
const GREEDY = { tenantId: 'greedy', isSmall: false };

it('lets a tenant with one statement wait for one of another tenant, not for all of them', async () => {
  const { ended, take } = newLine();
  const other = { tenantId: 'other', isSmall: false };
  await Promise.all([take(GREEDY), take(GREEDY), take(GREEDY), take(GREEDY), take(other)]);
  expect(ended).toEqual(['greedy', 'other', 'greedy', 'greedy', 'greedy']);
});

it('lets a small turn end before the statements of large ones go on', async () => {
  const { ended, take } = newLine();
  await Promise.all([take(LIGHT, 3), take(GREEDY), take(GREEDY)]);
  expect(ended).toEqual(['light', 'light', 'light', 'greedy', 'greedy']);
});

it('gives way to small turns and to whoever accepts, though not for ever', async () => {
  const { line, ended, take } = newLine(() => new Promise(() => {}), 20);
  const never = Promise.withResolvers<void>();
  const hanging = line.during(LIGHT, () => never.promise);
  await take(GREEDY);
  expect(ended).toEqual(['greedy']);
  never.resolve();
  await hanging;
});

it('lets a turn be taken while small ones are in hand', async () => {
  const { line } = newLine();
  await line.during(LIGHT, async () => {
    const { rows } = await line.taking.query('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
  });
});

it('has no two of them at Postgres at once', async () => {
  const { line } = newLine();
  await db.query('create table one_at_a_time (began timestamptz, ended timestamptz)');
  const note = (tenantId: string) =>
    line.during({ tenantId, isSmall: false }, (its) =>
      its.transaction(async (tx) => {
        const { rows } = await tx.query<{ began: string }>('select clock_timestamp()::text as began');
        await tx.query('insert into one_at_a_time select $1, clock_timestamp()', [rows[0]?.began]);
      }),
    );
  await Promise.all(['a', 'a', 'b', 'c', 'c', 'b'].map(note));
  const { rows } = await db.query(
    'select count(*)::int as both from one_at_a_time a join one_at_a_time b on a.began < b.began and b.began < a.ended',
  );
  expect(rows).toEqual([{ both: 0 }]);
});

it('goes on after a statement that failed', async () => {
  const { line } = newLine();
  const refused = line.during(LIGHT, (its) => its.query('select 1 / 0'));
  const answered = line.during(LIGHT, (its) => its.query('select 1 as one'));
  await expect(refused).rejects.toThrow('division by zero');
  expect((await answered).rows).toEqual([{ one: 1 }]);
});
