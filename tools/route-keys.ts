/** Finds out which key and permission each route asks for by calling it with every kind, so that the guard itself is the source. */
import type { RouteOptions } from 'fastify';
import { type Permission, permissions } from '../src/contract/keys.ts';
import { type Access, FULL_ACCESS } from '../src/domain/access.ts';
import type { Credential } from '../src/domain/keyring.ts';
import type { App, Deps } from '../src/http/deps.ts';

const TENANT = 'ten_probe';

const label = null;
const tenantKey = (access: Access): Credential => ({
  ...{ keyPrefix: 'dk_probe', label, tier: 'tenant', tenantId: TENANT, access },
});

/** The keys of the probe are named after what they are. Nothing stands behind a guard: who passes it gets an error. */
const credentials: Record<string, Credential> = {
  admin: { keyPrefix: null, label, tier: 'admin', tenantId: null, readOnly: false },
  internals: { keyPrefix: null, label, tier: 'internals', tenantId: null, readOnly: false },
  tenant: tenantKey(FULL_ACCESS),
  ...Object.fromEntries(
    permissions.map((permission) => [permission, tenantKey({ ...FULL_ACCESS, permissions: new Set([permission]) })]),
  ),
};

/** What the guards ask, and no more. The rest of the service is not there. */
export const probedDeps = {
  keyring: {
    identify: async (key: string) => credentials[key] ?? null,
    identifyThroughOutage: async (key: string) => credentials[key] ?? null,
  },
  admission: { admit: async () => {} },
  accepter: { isFull: () => false },
  requireTenantKey: false,
} as unknown as Deps;

interface Sent {
  operator?: 'admin' | 'internals' | undefined;
  id?: boolean;
  key?: 'tenant' | 'wrong' | Permission;
}

/** Whether the guard of a route lets such a caller pass, whatever the route makes of the rest of the request. */
async function admits(app: App, { method, url }: RouteOptions, { operator, id, key }: Sent): Promise<boolean> {
  const answer = await app.inject({
    method: method as 'GET',
    url: url.replaceAll(/:\w+/g, 'probe'),
    headers: {
      ...(operator && { authorization: `Bearer ${operator}` }),
      ...(id && { 'x-tenant-id': TENANT }),
      ...(key && { 'x-tenant-api-key': key }),
    },
  });
  if (answer.statusCode === 401 || answer.statusCode === 403) return false;
  const { errors = [] } = answer.json() as { errors?: { path: string }[] };
  return !errors.some(({ path }) => path.startsWith('headers/x-tenant'));
}

/** What the key of a tenant has to be good for; empty where none is looked at. */
export async function permissionOf(app: App, route: RouteOptions): Promise<string> {
  for (const operator of [undefined, 'internals'] as const) {
    const isAdmitted = (key: Sent['key'] & string) => admits(app, route, { operator, id: true, key });
    if (!(await isAdmitted('tenant')) || (await isAdmitted('wrong'))) continue;
    for (const permission of permissions) if (await isAdmitted(permission)) return permission;
  }
  return '';
}

/** In the words of docs/routes.md: `none`, `id only`, `tenant`, `admin`, `admin + tenant`, `admin (+ tenant)`, … */
export async function keyOf(app: App, route: RouteOptions): Promise<string> {
  for (const operator of [undefined, 'admin', 'internals'] as const) {
    if (!(await admits(app, route, { operator, id: true, key: 'tenant' }))) continue;
    const needsNothing = await admits(app, route, { operator });
    const looksAtKey = !(await admits(app, route, { operator, id: true, key: 'wrong' }));
    const tenant = (await admits(app, route, { operator, id: true })) ? 'id only' : 'tenant';
    if (!operator) return needsNothing ? 'none' : tenant;
    if (!needsNothing) return `${operator} + ${tenant}`;
    return looksAtKey ? `${operator} (+ tenant)` : operator;
  }
  throw new Error(`no key is good enough for ${route.method} ${route.url}`);
}
