/** Looks whether the facts that a scope shows are those that follow from all its readings and contradictions. */
import { factIdOf } from '../../src/domain/derived-ids.ts';
import type { Tenant } from './kernel.ts';
import type { TestService } from './service.ts';

interface Said {
  documents: Set<number>;
  /** Who gives a value, in order of seq. */
  values: Map<number, string[]>;
}

interface ShownFact {
  fact_id: string;
  state: string;
  documents: number;
  values: { documents: number; example: { document_id: string } }[];
}

/** By group, computed from nothing but what each document says. */
async function expectFacts({ db }: TestService, { tenantId }: Tenant, scopeId: string) {
  const of = 'join scopes s using (scope_key, generation) where s.tenant_id = $1 and s.scope_id = $2';
  const { rows: readings } = await db.query<{ seq: number; id: string; groups: number[]; values: number[] }>(
    `select seq::float8 as seq, document_id as id, to_json(r.groups) as groups, to_json(group_values) as values
       from readings r ${of} order by seq`,
    [tenantId, scopeId],
  );
  const { rows: disputes } = await db.query<{ groups: number[]; status: string }>(
    `select to_json(array[group_a, group_b]) as groups, status
       from contradictions ${of} and origin = 'detected'`,
    [tenantId, scopeId],
  );
  const groupsOf = (statuses: string[]) =>
    new Set(disputes.filter(({ status }) => statuses.includes(status)).flatMap(({ groups }) => groups));
  const [open, leftOut] = [groupsOf(['open']), groupsOf(['left_out'])];
  const decided = groupsOf(['resolved', 'deferred']);
  // What is left out counts until all that is shown was decided.
  const isDisputed = (group: number) => open.has(group) || (leftOut.has(group) && !decided.has(group));
  const all = new Map<number, Said>();
  for (const { seq, id, groups, values } of readings)
    groups.forEach((group, at) => {
      const said = all.get(group) ?? { documents: new Set(), values: new Map() };
      const value = values[at] as number;
      said.documents.add(seq);
      const by = said.values.get(value) ?? [];
      if (by.at(-1) !== id) said.values.set(value, [...by, id]);
      all.set(group, said);
    });
  return [...all]
    .sort(([one], [other]) => one - other)
    .map(([group, { documents, values }]) => ({
      fact_id: factIdOf(group),
      state: isDisputed(group) ? 'disputed' : values.size > 1 ? 'varied' : 'agreed',
      documents: documents.size,
      values: [...values]
        .sort(([a, one], [b, other]) => other.length - one.length || a - b)
        .slice(0, 10)
        .map(([, by]) => ({ documents: by.length, first: by[0] })),
      evidence: [...values].sort(([a], [b]) => a - b).flatMap(([, by]) => by),
    }));
}

/** All pages of a list. */
export async function listAll<Item>(
  { call }: TestService,
  { key }: Tenant,
  path: string,
  name: string,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const answer = await call('GET', `${path}&${cursor === null ? '' : `cursor=${cursor}`}`, { tenantKey: key });
    if (answer.status !== 200) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`);
    items.push(...answer.body[name]);
    cursor = answer.body.next_cursor;
  } while (cursor !== null);
  return items;
}

/** One line for each thing that differs. */
export async function auditFacts(service: TestService, tenant: Tenant, scopeId: string): Promise<string[]> {
  const wrong: string[] = [];
  const expectSame = (what: string, is: unknown, should: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(should))
      wrong.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`);
  };
  const expected = await expectFacts(service, tenant, scopeId);
  const path = `/api/scopes/${scopeId}/facts`;
  const list = async (query: string) =>
    (await listAll<ShownFact>(service, tenant, `${path}?limit=3${query}`, 'facts')).map((fact) => ({
      ...{ fact_id: fact.fact_id, state: fact.state, documents: fact.documents },
      values: fact.values.map(({ documents, example }) => ({ documents, first: example.document_id })),
    }));
  const plain = expected.map(({ evidence: _evidence, ...fact }) => fact);
  const byDocuments = plain.toSorted((one, other) => other.documents - one.documents);
  const shared = byDocuments.filter(({ documents }) => documents > 1);
  expectSame('facts', await list('&min_documents=1&order=fact_id'), plain);
  expectSame('by documents', await list('&min_documents=1'), byDocuments);
  expectSame('of several', await list(''), shared);
  const sharedById = plain.filter(({ documents }) => documents > 1);
  expectSame('of several, by id', await list('&order=fact_id'), sharedById);
  for (const state of ['agreed', 'disputed', 'varied'])
    expectSame(
      state,
      await list(`&state=${state}`),
      shared.filter((fact) => fact.state === state),
    );
  for (const { fact_id, evidence } of expected) {
    const shown = await listAll<{ document_id: string }>(service, tenant, `${path}/${fact_id}?limit=2`, 'evidence');
    expectSame(
      `evidence of ${fact_id}`,
      shown.map(({ document_id }) => document_id),
      evidence,
    );
  }
  return wrong;
}
