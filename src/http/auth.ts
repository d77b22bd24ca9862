/** Who is calling: operators by bearer key, tenants by their own key. */
import bearerAuth from '@fastify/bearer-auth';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import { full } from '../domain/accept/unanswered.ts';
import { BY_ID_ALONE, FULL_ACCESS, type Permission, requirePermission } from '../domain/access.ts';
import type { Credential, Keyring } from '../domain/keyring.ts';
import { getTenant } from '../domain/tenants.ts';
import { AppError, invalid } from '../errors.ts';
import type { Slots } from '../slots.ts';
import { asking } from './access.ts';
import type { Deps } from './deps.ts';
import { isReading } from './tiers.ts';
import { clientGone, isClosed, late, whenClosed, whenOver } from './when-closed.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It is needed most while Postgres is away: then an operator's key is good that was before. */
    standsThroughOutages?: boolean;
  }
  interface FastifyRequest {
    operator: Extract<Credential, { readOnly: boolean }> | null;
    tenantId: string | null;
    /** When the token ends that was sent in place of a key, in milliseconds since 1970; null for a key. */
    tokenEnds: number | null;
    /** How long its caller has waited for us so far. That its body takes time to arrive is not our doing. */
    waitedMs: number;
    /** The tenant that is charged for the length of the answer. */
    chargedTo: string | null;
  }
}

export function declareIdentity(app: FastifyInstance): void {
  app.decorateRequest('operator', null);
  app.decorateRequest('tenantId', null);
  app.decorateRequest('tokenEnds', null);
  app.decorateRequest('waitedMs', 0);
  app.decorateRequest('chargedTo', null);
}

/** Charges for large answers once they are made, whether or not their clients are still there. */
export function chargeAnswers(app: FastifyInstance, admission: Deps['admission']): void {
  app.addHook('onSend', async ({ chargedTo }, _reply, payload) => {
    if (chargedTo === null || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return;
    // Whoever was admitted is answered.
    await admission.chargeAnswer(chargedTo, Buffer.byteLength(payload)).catch(() => {});
  });
}

/** Admits the operators of these tiers to every route of this plugin, before any body is read. */
export async function admitOperators(
  app: FastifyInstance,
  keyring: Keyring,
  tiers: ('admin' | 'internals')[],
): Promise<void> {
  await app.register(bearerAuth, {
    // Ours live in the keyring.
    keys: [],
    // Without its own hook, the plugin hands its refusals to our error handler.
    addHook: false,
    // The scheme's name is case-insensitive.
    specCompliance: 'rfc6749',
    verifyErrorLogLevel: 'debug',
    auth: async (key: string, request: FastifyRequest) => {
      const began = performance.now();
      const isThrough = request.routeOptions.config.standsThroughOutages;
      const credential = await (isThrough ? keyring.identifyThroughOutage(key) : keyring.identify(key));
      request.waitedMs = performance.now() - began;
      if (!credential || credential.tier === 'tenant') return false;
      request.operator = credential;
      request.actingKey = credential;
      return true;
    },
  });
  app.addHook('onRequest', app.verifyBearerAuth as NonNullable<typeof app.verifyBearerAuth>);
  app.addHook('onRequest', async ({ operator, method }) => {
    if (!operator || !tiers.includes(operator.tier)) {
      throw new AppError('forbidden', `This route needs a key of the tier ${tiers.join(' or ')}.`);
    }
    // Here for all routes of operators, whatever they are: none that is read with GET changes anything.
    if (operator.readOnly && !isReading(method))
      throw new AppError('forbidden', `This key is read-only, and ${method} changes something; use another key.`);
  });
}

/** For the routes that act for one tenant: the tenant of the key in X-Tenant-API-Key, which has to have the permission. */
export function actForTenant(keyring: Keyring, permission: Permission): onRequestAsyncHookHandler {
  return asking(permission, async (request: FastifyRequest) => {
    const credential = await identifyTenant(request, keyring);
    const { tenantId, access } = credential;
    const claimed = request.headers['x-tenant-id'];
    if (claimed !== undefined && claimed !== tenantId) throw badTenantKey();
    requirePermission(access, permission);
    request.tenantId = tenantId;
    request.access = access;
    request.actingKey ??= credential;
  });
}

/** The same for tenants themselves, who may ask only so often, and have so many reads in hand that others have theirs. */
export function readAsTenant(deps: Deps): onRequestAsyncHookHandler {
  return takeTurnAsTenant(deps, 'read', deps.reads);
}

/** Whoever deletes or decides waits for locks, and takes no place of those who read. */
export function changeAsTenant(deps: Deps, permission: 'delete' | 'decide'): onRequestAsyncHookHandler {
  return takeTurnAsTenant(deps, permission, deps.changes);
}

/** For answers that may wait, which take a turn for each look. */
export function waitAsTenant(deps: Deps): onRequestAsyncHookHandler {
  return takeTurnAsTenant(deps, 'read', null);
}

function takeTurnAsTenant(
  { keyring, admission }: Deps,
  permission: Permission,
  slots: Slots | null,
): onRequestAsyncHookHandler {
  const act = actForTenant(keyring, permission);
  return asking(permission, async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    await act.call(this, request, reply);
    const tenantId = tenantOf(request);
    await admission.admitRead(tenantId);
    if (slots) await takeTurn(slots, tenantId, request, reply);
    request.chargedTo = tenantId;
  });
}

/** For a stream, which may be open for days: it takes its turn for what it looks up first, and gives it back. */
export async function inTurn<Found>(
  slots: Slots,
  request: FastifyRequest,
  reply: FastifyReply,
  look: () => Promise<Found>,
): Promise<Found> {
  const tenantId = tenantOf(request);
  await enter(slots, tenantId, reply);
  return look().finally(() => slots.giveBack(tenantId));
}

/** Held until the answer and the work on it are over. */
async function takeTurn(slots: Slots, whose: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await enter(slots, whose, reply);
  whenOver(request, reply, () => slots.giveBack(whose));
  if (isClosed(reply)) throw clientGone();
}

async function enter(slots: Slots, whose: string, reply: FastifyReply): Promise<void> {
  const gone = new AbortController();
  whenClosed(reply, () => gone.abort());
  await slots.take(whose, { signal: gone.signal }).catch(() => {
    throw clientGone();
  });
}

/** No tenant is called so. */
export const OPERATORS = 'operators';

/** For operators who have no key of the tenant. All of them have the turns of one tenant: they keep no tenant from its own. */
export function actForTenantInPath({ db }: Deps, slots: Slots | null): preHandlerAsyncHookHandler {
  return async (request, reply) => {
    const { tenantId } = request.params as { tenantId: string };
    if (slots) await takeTurn(slots, OPERATORS, request, reply);
    await getTenant(db, tenantId);
    request.tenantId = tenantId;
    request.access = FULL_ACCESS;
  };
}

/** For operators who act for no tenant: they share the turns of one. */
export function takeTurnOfOperators(slots: Slots): preHandlerAsyncHookHandler {
  return (request, reply) => takeTurn(slots, OPERATORS, request, reply);
}

/**
 * The same for work in pieces, each of which has a turn of its own, so that others have theirs in between. Nobody else ends it: each
 * says how long it waits for its turn.
 */
export function turnsOfOperators(slots: Slots, reply: FastifyReply) {
  const gone = new AbortController();
  whenClosed(reply, () => gone.abort());
  return async <Found>(patienceMs: number, work: () => Promise<Found>): Promise<Found> => {
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(Math.max(0, Math.ceil(patienceMs)))]);
    await slots.take(OPERATORS, { signal }).catch(() => {
      throw gone.signal.aborted ? clientGone() : late();
    });
    return work().finally(() => slots.giveBack(OPERATORS));
  };
}

type Admit = (tenantId: string, request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/**
 * For posting under /api: the tenant that X-Tenant-ID names, which a key has to prove when one is sent or required. Without a
 * promise for a tenant that is known: that costs time, and every document comes this way.
 */
function actAsNamedTenant({ keyring, requireTenantKey }: Deps, admit: Admit): onRequestHookHandler {
  const begin: Admit = (tenantId, request, reply) => {
    if (!requireTenantKey && request.headers['x-tenant-api-key'] === undefined) {
      request.access = BY_ID_ALONE;
      return admit(tenantId, request, reply);
    }
    return identifyTenant(request, keyring).then((proven) => {
      if (proven.tenantId !== tenantId) throw badTenantKey();
      requirePermission(proven.access, 'ingest');
      request.access = proven.access;
      return admit(tenantId, request, reply);
    });
  };
  const guard: onRequestHookHandler = (request, reply, done) => {
    const began = performance.now();
    const tenantId = request.headers['x-tenant-id'];
    if (typeof tenantId !== 'string') return done(invalid('headers/x-tenant-id', 'is required'));
    const end = () => {
      request.tenantId = tenantId;
      request.waitedMs = performance.now() - began;
      done();
    };
    let admitting: void | Promise<void>;
    try {
      admitting = begin(tenantId, request, reply);
    } catch (error) {
      return done(error as Error);
    }
    if (admitting instanceof Promise) admitting.then(end, done);
    else end();
  };
  return asking('ingest', guard);
}

type AdmitBytes = (tenantId: string, bytes: number, hasKey: boolean) => void | Promise<void>;

/** By the length that the head announces. What does not say how long it will be is paid for afterwards, whatever came of it. */
function byLength({ admission }: Deps, admit: AdmitBytes): Admit {
  return (tenantId, request, reply) => {
    const announced = request.headers['content-length'];
    const admitting = admit(tenantId, Number(announced ?? 0), request.access !== BY_ID_ALONE);
    if (announced !== undefined) return admitting;
    return Promise.resolve(admitting).then(() =>
      whenClosed(reply, () => void admission.chargeBytes(tenantId, request.bodyBytes).catch(() => {})),
    );
  };
}

export function postAsTenant(deps: Deps): onRequestHookHandler {
  const { admission, accepter } = deps;
  const admit = byLength(deps, (tenantId, bytes, hasKey) => {
    if (accepter.isFull(tenantId)) throw full();
    return admission.admitDocument(tenantId, bytes, hasKey);
  });
  return actAsNamedTenant(deps, admit);
}

/** For a stream, whose documents and bytes are admitted as they come: it is opened at the cost of one document. */
export function streamAsTenant(deps: Deps): onRequestHookHandler {
  const { admission, accepter } = deps;
  return actAsNamedTenant(deps, (tenantId, request) => {
    if (accepter.isFull(tenantId)) throw full();
    return admission.admitDocument(tenantId, 0, request.access !== BY_ID_ALONE);
  });
}

export function reportAsTenant(deps: Deps): onRequestHookHandler {
  return actAsNamedTenant(
    deps,
    byLength(deps, (tenantId, bytes, hasKey) => deps.admission.admitReport(tenantId, bytes, hasKey)),
  );
}

async function identifyTenant({ headers }: FastifyRequest, keyring: Keyring) {
  const key = headers['x-tenant-api-key'];
  if (typeof key !== 'string') throw invalid('headers/x-tenant-api-key', 'is required');
  const credential = await keyring.identify(key);
  if (credential?.tier !== 'tenant') throw badTenantKey();
  return credential;
}

function badTenantKey(): AppError {
  return new AppError('unauthorized', 'X-Tenant-API-Key is not a valid key of this tenant.');
}

export function tenantOf(request: FastifyRequest): string {
  if (!request.tenantId) throw new Error(`${request.routeOptions.url} asks for a tenant that nothing has checked`);
  return request.tenantId;
}
