/** Sends one route keys of every permission, and a key that is limited to a scope, and tells what should not have been answered so. */

import { permissions } from '../../../src/contract/keys.ts';
import type { Permission } from '../../../src/domain/access.ts';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { issueKey } from '../../../src/domain/keys.ts';
import type { Database } from '../../../src/storage/database.ts';
import type { Answer, TestService } from '../../support/service.ts';
import { differ, normalised, type Route, send } from './ask.ts';
import { allowed } from './examine.ts';
import { absentIds, addScope, type Ids, MARK, newParty } from './parties.ts';
import type { Expectation } from './routes.ts';

const without = (permission: Permission) => permissions.filter((one) => one !== permission);

/** What is wrong with a route when keys lack a permission; nothing, if all is right. */
export async function examinePermissions(service: TestService, route: Route, expectation: Expectation) {
  const needed = route.permission as Permission;
  const { ids } = await newParty(service, 'mine');
  const ask = async (some: Permission[], method = route.method) => {
    const { key } = await issueKey(
      service.db,
      'tenant',
      { tenantId: ids.tenantId, permissions: some },
      BY_COMMAND_LINE,
    );
    const asked = { ...route, method };
    return send(service, asked, expectation, ids, ids.tenantId, service.internals, key);
  };
  const wrong: string[] = [];
  const refused = [without(needed), ...without(needed).map((one) => [one])];
  for (const some of refused) {
    const { status, body } = await ask(some);
    if (status !== 403 || !body.detail.includes(`permission ${needed};`))
      wrong.push(`${route.name} with ${some}: ${status} ${body.detail}`);
  }
  if (route.hasHead && (await ask(without(needed), 'HEAD')).status !== 403) wrong.push(`HEAD of ${route.name}`);
  // What changes something is asked for once, and so gets what its holder would get with a key for everything.
  const { status } = await ask([needed]);
  const expected = allowed(route, expectation, 'tenant', 'own');
  if (status !== expected) wrong.push(`${route.name} with ${needed} alone: ${status} instead of ${expected}`);
  for (const other of without(needed)) {
    const also = await ask(without(other));
    if ([401, 403].includes(also.status)) wrong.push(`${route.name} with all but ${other}: ${also.status}`);
  }
  return wrong;
}

/** What is wrong with a route when the key is limited to one scope of two; nothing, if all is right. */
export async function examineScopes(service: TestService, route: Route, expectation: Expectation) {
  const own = await newParty(service, 'mine');
  const { tenantId } = own.ids;
  const outside = { ...(await addScope(service, tenantId, MARK)), keyPrefix: own.ids.keyPrefix };
  const { key } = await issueKey(service.db, 'tenant', { tenantId, scopeIds: [own.ids.scopeId] }, BY_COMMAND_LINE);
  const before = await tracesOfScope(service.db, outside);
  const ask = async (ids: Ids) =>
    normalised(await send(service, route, expectation, ids, tenantId, service.internals, key), ids);

  const wrong: string[] = [];
  const absent = { ...absentIds(), tenantId, keyPrefix: own.ids.keyPrefix };
  const [there, nowhere] = [await ask(outside), await ask(absent)];
  for (const [where, answer] of [
    ['another scope', there],
    ['no scope', nowhere],
  ] as const) {
    const status = statusOf(answer);
    const expected = expectation.reach === 'nothing' ? expectation.status : 404;
    if (status !== expected) wrong.push(`${route.name}, ${where}: ${status} instead of ${expected}`);
    if (`${JSON.stringify(answer.body)}`.includes(MARK)) wrong.push(`${route.name}, ${where}: has what is there`);
    if (JSON.stringify(answer.body).includes(outside.scopeId)) wrong.push(`${route.name}, ${where}: names the other`);
  }
  const difference = differ(there, nowhere);
  if (difference) wrong.push(`${route.name}: ${difference}`);
  wrong.push(...(await examineWithin(route, expectation, own.ids, outside, ask)));
  if (JSON.stringify(await tracesOfScope(service.db, outside)) !== JSON.stringify(before))
    wrong.push(`${route.name} has changed what is in a scope that the key may not reach`);

  const { status } = await ask(own.ids);
  const expected = allowed(route, expectation, 'tenant', 'own');
  if (status !== expected) wrong.push(`${route.name}, its own scope: ${status} instead of ${expected}`);
  return wrong;
}

/** In the scope of one's own something of the other scope. */
async function examineWithin(
  { name }: Route,
  { inner }: Expectation,
  own: Ids,
  outside: Ids,
  ask: (ids: Ids) => Promise<Answer>,
) {
  // A fact has the same id wherever it is said.
  if (!inner || inner === 'factId') return [];
  const { status } = await ask({ ...own, [inner]: outside[inner] });
  return status === 404 ? [] : [`${name}, ${inner} of another scope in its own: ${status} instead of 404`];
}

/** Of a batch, what its only document got. */
const statusOf = ({ status, body }: Answer) => (body?.code === 'batch_rejected' ? body.results[0].status : status);

async function tracesOfScope(db: Database, { tenantId, scopeId }: Ids): Promise<object[]> {
  const own = '(select scope_key from scopes where tenant_id = $1 and scope_id = $2)';
  const parts = [
    'select to_jsonb(t) as row from scopes t where tenant_id = $1 and scope_id = $2',
    'select to_jsonb(t) as row from events t where tenant_id = $1 and scope_id = $2',
    ...['documents', 'document_contents', 'contradictions', 'readings'].map(
      (table) => `select to_jsonb(t) as row from ${table} t where scope_key in ${own}`,
    ),
  ];
  const { rows } = await db.query<{ row: object }>(parts.join(' union all '), [tenantId, scopeId]);
  if (rows.length < 5) throw new Error('there is nothing to be left alone');
  return rows.map(({ row }) => row).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
