/** Makes a database look as if all its readings had been made by older rules: with keys, groups and values that are none of today's. */
import { precedenceOf } from '../../src/domain/settle/contradictions.ts';
import type { Queryable } from '../../src/storage/database.ts';

const negated = (list: string) =>
  `array(select -its from unnest(${list}) with ordinality as l (its, nth) order by nth)`;

const ONE = { severity: 'low', pair: '0'.repeat(44) } as const;

/** While no service works on it, which would have some of it in memory. */
export async function makeOlder(db: Queryable, rules = 1): Promise<void> {
  const statements = [
    `update readings set rules = ${rules}, keys = ${negated('keys')}, groups = ${negated('groups')},
            group_values = ${negated('group_values')}, claims = '{"rules":${rules},"profile":{},"claims":[]}'`,
    'update claim_keys set key = -key',
    'update claim_groups set group_key = -group_key, leader = -leader',
    'update claim_evidence set group_key = -group_key, value_key = -value_key',
    'update fact_words set group_key = -group_key',
    'update claim_values set group_key = -group_key, value_key = -value_key',
    `update contradictions set pair_sha256 = sha256(pair_sha256), group_a = -group_a, group_b = -group_b, value_a = -value_a,
            value_b = -value_b, precedence = precedence + ${precedenceOf(ONE, rules) - precedenceOf(ONE)}
      where origin = 'detected'`,
    `update scopes set rules = ${rules}`,
  ];
  for (const statement of statements) await db.query(statement);
}

/** Each turn that reads again has one document. */
export async function readAgainOneByOne(db: Queryable): Promise<void> {
  await db.query('alter function list_rereads rename to list_rereads_as_they_are');
  await db.query(
    `create function list_rereads(s scopes, its_rules int, up_to bigint, most_documents int, most_bytes bigint) returns json
     language sql stable as 'select list_rereads_as_they_are(s, its_rules, up_to, 1, most_bytes)'`,
  );
}

/** Nothing from this seq on is read again until it may go on. */
export async function holdRereadsFrom(db: Queryable, seq: number): Promise<void> {
  await db.query(
    `create function hold_rereads() returns trigger language plpgsql as $$
     begin
       if new.reread_from >= ${seq} then new.reread_at := 'infinity'; end if;
       return new;
     end $$`,
  );
  await db.query('create trigger hold_rereads before update on scopes for each row execute function hold_rereads()');
}

export async function letRereadsGoOn(db: Queryable): Promise<void> {
  await db.query('drop trigger hold_rereads on scopes');
  await db.query("update scopes set reread_at = '-infinity'");
}
