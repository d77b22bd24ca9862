/** One route, asked with certain ids and keys; and how two answers of it are compared. */
import type { RouteOptions } from 'fastify';
import type { Permission } from '../../../src/domain/access.ts';
import type { Tier } from '../../../src/http/tiers.ts';
import type { Answer, TestService } from '../../support/service.ts';
import type { Ids } from './parties.ts';
import type { Expectation } from './routes.ts';

export interface Route {
  name: string;
  method: string;
  url: string;
  tier: Tier;
  /** What it wants to know of the tenant. */
  wants: 'nothing' | 'id' | 'key' | 'key or token' | 'key or nothing';
  /** What it asks of a tenant's key. */
  permission: Permission | null;
  hasHead: boolean;
}

export function routesOf(routes: RouteOptions[]): Route[] {
  const heads = new Set(routes.flatMap(({ method, url }) => (method === 'HEAD' ? [url] : [])));
  return routes
    .filter(({ method, schema }) => {
      const isHidden = (schema as { hide?: boolean } | undefined)?.hide === true;
      return method !== 'HEAD' && !isHidden;
    })
    .map(({ method, url, config, schema }) => {
      const headers = schema?.headers as { properties?: object; required?: string[] } | undefined;
      const has = (name: string) => name in (headers?.properties ?? {});
      const isRequired = headers?.required?.includes('X-Tenant-API-Key');
      const takesToken = 'token' in ((schema?.querystring as { properties?: object } | undefined)?.properties ?? {});
      const wants = has('X-Tenant-ID')
        ? 'id'
        : !has('X-Tenant-API-Key')
          ? 'nothing'
          : isRequired
            ? 'key'
            : takesToken
              ? 'key or token'
              : 'key or nothing';
      const permission = config?.asks?.permission ?? null;
      return {
        name: `${method} ${url}`,
        method: String(method),
        url,
        // The service does not start with a route that has none.
        tier: config?.tier as Tier,
        wants,
        permission,
        hasHead: method === 'GET' && heads.has(url),
      };
    });
}

export async function send(
  { call }: TestService,
  { method, url, wants }: Route,
  { query, body, type }: Expectation,
  ids: Ids,
  tenantId: string,
  key: string | undefined,
  tenantKey: string | undefined,
): Promise<Answer> {
  const named: Record<string, string> = {
    ...ids,
    document_id: ids.documentId,
    fact_id: ids.factId,
    prefix: ids.keyPrefix,
  };
  const path = url.replaceAll(/:(\w+)/g, (_all, name: string) => named[name] ?? name);
  const answer = await call(method, query ? `${path}?${query(ids)}` : path, {
    ...(key !== undefined && { key }),
    ...(tenantKey !== undefined && { tenantKey }),
    // Only where it is asked for: elsewhere it would have to fit the key.
    ...(wants === 'id' && { tenantId }),
    ...(body && { body: body(ids) }),
    // Said back as it is, so that two answers have it alike.
    headers: { 'x-request-id': 'same', ...(type && { 'content-type': type }) },
  });
  return type ? answerToLine(answer) : answer;
}

/** Of a stream, what its only line got. */
export function answerToLine(answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  const line = JSON.parse(String(answer.body).split('\n', 1)[0] as string);
  return { ...answer, status: line.status, body: line };
}

/** Without what differs between any two answers: the time, and the ids that were asked for. */
export function normalised({ status, headers, body }: Answer, ids: Ids): Answer {
  let text = JSON.stringify({ headers: [...headers].filter(([name]) => name !== 'date'), body });
  for (const [name, id] of Object.entries(ids)) text = text.replaceAll(id, name);
  text = text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time').replaceAll(/con_[0-9a-z]{26}/g, 'contradiction');
  const same = JSON.parse(text) as { headers: [string, string][]; body: unknown };
  return { status, headers: new Headers(same.headers), body: same.body };
}

/** How two answers differ that should not; null when they do not. */
export function differ(foreign: Answer | undefined, absent: Answer | undefined): string | null {
  if (!foreign || !absent) return null;
  const [one, two] = [foreign, absent].map(({ status, headers, body }) =>
    JSON.stringify({ status, headers: [...headers].sort(), body }),
  );
  return one === two ? null : `foreign and absent differ:\n  ${one}\n  ${two}`;
}
