/**
 * What a route notes in the audit log. A route that changes something and does not say what keeps the service from starting; what
 * it says is compared with what it does by a test that calls them all.
 */
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { AuditAction } from '../contract/audit.ts';
import { actorOf } from '../domain/actor.ts';
import type { Deed } from '../domain/audit.ts';
import type { Credential } from '../domain/keyring.ts';
import { isReading } from './tiers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key it came with: the operator's, if there are two. */
    actingKey: Credential | null;
  }
  interface FastifyContextConfig {
    /** What it notes. `nothing` is for what brings documents and reports, and for what is not kept. */
    audits?: AuditAction | 'nothing';
    /** What it notes when operators ask for it, in the place of a tenant. */
    auditsOperators?: AuditAction;
  }
}

/** To be called before any route is added. */
export function requireAudits(app: FastifyInstance): void {
  app.decorateRequest('actingKey', null);
  app.addHook('onReady', async () => {
    for (const route of app.routes)
      if (isSilent(route))
        throw new Error(`${route.method} ${route.url} changes something: say in its config what it audits`);
  });
}

function isSilent({ method, config, schema }: RouteOptions): boolean {
  if (config?.audits || (schema as { hide?: boolean } | undefined)?.hide) return false;
  return ![method].flat().every(isReading);
}

/** For a change: whose doing it is. */
export function deedOf(request: FastifyRequest): Deed {
  const { actingKey, routeOptions } = request;
  const { audits } = routeOptions.config;
  if (!audits || audits === 'nothing' || !actingKey)
    throw new Error(`${routeOptions.url} notes a deed that it does not declare, or of nobody`);
  return { actor: actorOf(actingKey), address: addressOf(request), requestId: request.id };
}

/** Of who asks, as far as it is known; behind a proxy only if that is trusted. What it names need not be an address. */
function addressOf({ ip, socket }: FastifyRequest): string | null {
  const address = isIP(ip) ? ip : socket.remoteAddress;
  // The zone of an address may be any text, and one of IPv4 may be written as one of IPv6.
  return address?.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '') ?? null;
}
