/** Looks whether what is counted and filed of a scope is what its readings and contradictions say. */
import type { Queryable } from '../../src/storage/database.ts';

const READINGS = `readings r join scopes s using (scope_key, generation) where s.tenant_id = $1 and s.scope_id = $2`;

/** One line for each thing that differs. */
export async function auditScope(db: Queryable, tenantId: string, scopeId: string): Promise<string[]> {
  const rows = async <Row extends object>(sql: string) => (await db.query<Row>(sql, [tenantId, scopeId])).rows;
  const wrong: string[] = [];
  const expectSame = (what: string, is: unknown, should: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(should))
      wrong.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`);
  };

  const readings = await rows<{ seq: number; keys: number[]; hash: number; groups: number[]; values: number[] }>(
    `select seq::float8 as seq, document_hash::float8 as hash, to_json(keys) as keys, to_json(r.groups) as groups,
            to_json(r.group_values) as values from ${READINGS} order by seq`,
  );
  const [scope] = await rows<Record<string, number>>(
    `select processed::float8, groups::float8, groups_shared::float8, groups_disputed::float8, claims::float8,
            filed_up_to::float8, least(filed_up_to, keys_filed_up_to)::float8 as keys_filed_up_to, contradictions_open::float8, contradictions_resolved::float8,
            contradictions_critical::float8, contradictions_left_out::float8 from scopes where tenant_id = $1 and scope_id = $2`,
  );
  if (!scope) return ['there is no such scope'];
  const contradictions = await rows<{ status: string; severity: string; groups: number[] }>(
    `select status, severity, to_json(array[group_a, group_b]) as groups
       from contradictions r join scopes s using (scope_key, generation)
      where s.tenant_id = $1 and s.scope_id = $2 and origin = 'detected'`,
  );
  const ofStatus = (wanted: string) => contradictions.filter(({ status }) => status === wanted);
  const [open, leftOut] = [ofStatus('open'), ofStatus('left_out')];
  const disputing = [...open, ...leftOut];

  const groups = new Map<
    number,
    { documents: number; values: Map<number, number>; disputes: number; isFiled: boolean }
  >();
  for (const { seq, groups: its, values } of readings)
    for (const group of new Set(its)) {
      const known = groups.get(group) ?? { documents: 0, values: new Map(), disputes: 0, isFiled: false };
      groups.set(group, known);
      known.documents++;
      known.isFiled ||= seq <= (scope.filed_up_to as number);
      for (const value of new Set(values.filter((_, at) => its[at] === group)))
        known.values.set(value, (known.values.get(value) ?? 0) + 1);
    }
  for (const { groups: sides } of disputing)
    for (const group of new Set(sides)) {
      const known = groups.get(group);
      if (known) known.disputes++;
      else wrong.push(`a contradiction is about ${group}, of which nobody speaks`);
    }
  const isShared = ({ documents, disputes }: { documents: number; disputes: number }) => documents > 1 || disputes > 0;
  const all = [...groups.values()];
  expectSame('readings', readings.length, scope.processed);
  expectSame('groups', scope.groups, all.length);
  expectSame('shared', scope.groups_shared, all.filter(isShared).length);
  expectSame('disputed', scope.groups_disputed, all.filter(({ disputes }) => disputes > 0).length);
  expectSame('open', scope.contradictions_open, open.length);
  expectSame('left out', scope.contradictions_left_out, leftOut.length);
  const critical = disputing.filter(({ severity }) => severity === 'critical');
  expectSame('critical', scope.contradictions_critical, critical.length);

  const stored = await rows<{
    group_key: number;
    documents: number;
    disputes: number;
    leader: number;
    varied: boolean;
    words: string[] | null;
  }>(
    `select group_key::float8 as group_key, documents, disputes, leader::float8 as leader, varied, words
       from claim_groups r join scopes s using (scope_key, generation) where s.tenant_id = $1 and s.scope_id = $2`,
  );
  const withRow = new Set(stored.map(({ group_key }) => group_key));
  for (const { group_key, documents, disputes, leader, varied, words } of stored) {
    const group = groups.get(group_key);
    const [first] = [...(group?.values ?? [])].sort(([a, one], [b, other]) => other - one || a - b);
    expectSame(`group ${group_key}`, [documents, disputes, leader], [group?.documents, group?.disputes, first?.[0]]);
    expectSame(`whether group ${group_key} is varied`, varied, (group?.values.size ?? 0) > 1);
    if (documents > 1 && words === null) wrong.push(`group ${group_key} is found by no words`);
  }
  const words = await rows<{ name: string }>(
    `select word || ' ' || group_key as name
       from fact_words r join scopes s using (scope_key, generation) where s.tenant_id = $1 and s.scope_id = $2`,
  );
  expectSame(
    'words',
    words.map(({ name }) => name).sort(),
    stored.flatMap(({ group_key, words: its }) => (its ?? []).map((word) => `${word} ${group_key}`)).sort(),
  );
  for (const [key, group] of groups)
    if ((isShared(group) || group.isFiled) && !withRow.has(key)) wrong.push(`group ${key} has no row`);

  const filed = readings.filter(({ seq }) => seq <= (scope.filed_up_to as number));
  const keys = await rows<{ name: string }>(
    `select key || ' ' || document_hash || ' ' || seq as name
       from claim_keys r join scopes s using (scope_key, generation) where s.tenant_id = $1 and s.scope_id = $2`,
  );
  expectSame(
    'keys',
    keys.map(({ name }) => name).sort(),
    readings
      .filter(({ seq }) => seq <= (scope.keys_filed_up_to as number))
      .flatMap(({ seq, hash, keys: its }) => its.map((key) => `${key} ${hash} ${seq}`))
      .sort(),
  );
  const evidence = await rows<{ name: string }>(
    `select group_key || ' ' || value_key || ' ' || seq as name
       from claim_evidence r join scopes s using (scope_key, generation) where s.tenant_id = $1 and s.scope_id = $2`,
  );
  expectSame(
    'evidence',
    evidence.map(({ name }) => name).sort(),
    filed
      .flatMap(({ seq, groups: its, values: said }) => [
        ...new Set(its.map((group, at) => `${group} ${said[at]} ${seq}`)),
      ])
      .sort(),
  );
  const counted = new Map<string, number>();
  for (const { groups: its, values } of filed)
    for (const name of new Set(its.map((group, at) => `${group} ${values[at]}`)))
      counted.set(name, (counted.get(name) ?? 0) + 1);
  const values = await rows<{ name: string }>(
    `select group_key || ' ' || value_key || ': ' || documents as name
       from claim_values r join scopes s using (scope_key, generation) where s.tenant_id = $1 and s.scope_id = $2`,
  );
  expectSame('values', values.map(({ name }) => name).sort(), [...counted].map(([name, n]) => `${name}: ${n}`).sort());
  return wrong;
}
