/** The HTTP server's own settings and edges: time-outs, request ids, headers, and errors in one shape from every path. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onSendHookHandler,
} from 'fastify';
import { AppError, notFound, TenantDeleted } from '../errors.ts';
import type { ProcessFigures } from '../figures/process.ts';
import { useBodyBudget } from './body-budget.ts';
import { Cors } from './cors.ts';
import type { App } from './deps.ts';
import { IdleConnections } from './idle.ts';
import { useIntake } from './intake.ts';
import { buildSerializer, jsonLine } from './json-answer.ts';
import { useJsonBodies } from './json-body.ts';
import { hasLongBody, leaveToStream } from './long-bodies.ts';
import { answerInTurn, isStopped, type Turns } from './pipelines.ts';
import { errorStatus, toAppError, toProblem } from './problem.ts';
import { rateLimitHeaders } from './rate-limit.ts';
import { LateLog } from './request-log.ts';
import { SAFE_HEADERS } from './safe-headers.ts';
import { SlowRefusals } from './slow-refusals.ts';
import { strayToken } from './stray-tokens.ts';
import { declareTrace, idsOf, takeTrace } from './trace.ts';
import { Unread } from './unread.ts';
import { useStrictValidation } from './validation.ts';
import { isClosed, noteWork } from './when-closed.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every wait of the handler has a time-out of its own already. */
    boundsItself?: boolean;
  }
}

export interface ServerOptions {
  requestTimeoutMs: number;
  handlerTimeoutMs: number;
  maxConnections: number;
  /** Whose pages may call `/api` from a browser. */
  corsOrigins?: readonly string[];
  /** Counts how long answers took, and what was refused. */
  figures?: Pick<ProcessFigures, 'http' | 'refusals'> | undefined;
  /** Whose word on the address of a client is taken. */
  trustProxy?: string[];
  /** Logs it, though not for everybody who asks. */
  onUnavailable: (cause: unknown, line: string, more: object) => void;
}

/** Control routes take small bodies; a route that takes documents says so itself. */
const BODY_LIMIT = 64 * 1024;
/** A document id has 200 characters at most, and each may be twelve in percent-encoding. */
const PARAM_LENGTH = 2400;
const CLOSED = {
  idle: 'all connections are taken: the one that was idle longest was closed for a new one',
  sending: 'all connections are taken and none is idle: the one that was sending longest was closed for a new one',
  new: 'all connections are taken and busy: a new one was closed; raise MAX_CONNECTIONS or add a replica',
};
const REQUEST_ID = /^[\w.:-]{1,128}$/;

export function createServer(options: ServerOptions, log: FastifyBaseLogger): App {
  const { onUnavailable, figures } = options;
  const refusals = new SlowRefusals();
  const cors = options.corsOrigins?.length ? new Cors(options.corsOrigins) : null;
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // Of a body that was read, nothing is left to be read.
    const unread = request.bodyBytes > 0 ? 0 : Number(request.headers['content-length']) || 0;
    const held = refusals.hold(toAppError(error).code, unread);
    const answer = () => sendError(error, request, reply, { onUnavailable, figures, cors });
    if (!held) return answer();
    void held.then(answer);
    return reply;
  };
  const app: App = Fastify({
    loggerInstance: new LateLog(() => log) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    trustProxy: options.trustProxy?.length ? options.trustProxy : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: PARAM_LENGTH },
    requestTimeout: options.requestTimeoutMs,
    http: {
      headersTimeout: options.requestTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      // Node looks for late requests only this often: its default would add half a minute to every time-out.
      connectionsCheckingInterval: Math.min(1000, options.requestTimeoutMs),
      // Refused below, in our own shape.
      requireHostHeader: false,
    },
    // While it closes, what still arrives is served like the rest, in the same shape, and the connection ends.
    return503OnClosing: false,
    frameworkErrors: answerError,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, turns),
    schemaController: { compilersFactory: { buildSerializer } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  // What a client expects beside 100-continue is its own affair: Node would refuse it without a word.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const idle = new IdleConnections(app.server, {
    maxConnections: options.maxConnections,
    onClosed: (which) => options.onUnavailable(undefined, CLOSED[which], {}),
  });
  const turns = answerInTurn(app.server, { idle });
  const unread = new Unread({
    connections: () => turns.busy.keys().filter((socket) => !hasLongBody(socket)),
    onEnded: (connections, unsent_bytes) =>
      options.onUnavailable(undefined, 'clients that do not read were cut off', { connections, unsent_bytes }),
  });
  app.addHook('onClose', async () => unread.close());

  noteWork(app);
  declareTrace(app);
  useIntake(app);
  useStrictValidation(app);
  useBodyBudget(app);
  useJsonBodies(app);
  app.setErrorHandler(answerError);
  if (figures) countAnswers(app, figures.http);
  app.addHook('onRoute', (route) => {
    // Set for each route instead of for all: the timer costs a tenth of a cheap request, and not every route needs it.
    if (!route.config?.boundsItself) route.handlerTimeout ??= options.handlerTimeoutMs;
  });
  cors?.use(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SAFE_HEADERS).header('x-request-id', request.id);
    const { traceparent } = request.headers;
    if (typeof traceparent === 'string') takeTrace(request, reply, traceparent);
    const refused = refusal(request, app);
    // Whoever sends such a request cannot be trusted to know where the next one begins.
    if (refused?.code === 'bad_request') reply.header('connection', 'close');
    done(refused);
  });
  if ((log as { isLevelEnabled?: (level: string) => boolean }).isLevelEnabled?.('debug')) {
    app.addHook('onResponse', async (request, reply) => {
      const { method, log } = request;
      // By its route: an address may hold what is not for a log.
      const route = request.is404 ? null : request.routeOptions.url;
      log.debug({ method, route, status: reply.statusCode, ms: reply.elapsedTime }, 'answered');
    });
  }
  return app;
}

/** Each route has its own counters in hand: nothing is looked up for a request, and no request makes a new one. */
function countAnswers(app: App, figures: ProcessFigures['http']): void {
  app.addHook('onRoute', (route) => {
    const counted = figures.route(Array.isArray(route.method) ? 'other' : route.method, route.url);
    const count: onSendHookHandler = (_request, reply, _payload, done) => {
      counted.answered(reply.statusCode, reply.elapsedTime);
      done();
    };
    route.onSend = [count, ...[route.onSend ?? []].flat()];
  });
}

function refusal(request: FastifyRequest, app: App): AppError | undefined {
  if (request.is404) {
    // A worker has no such page.
    const hint = app.hasRoute({ method: 'GET', url: '/docs' }) ? '; /docs lists what there is.' : ' here.';
    return new AppError('not_found', `There is no ${request.method} ${pathOf(request)}${hint}`);
  }
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
    return new AppError('bad_request', 'A request of HTTP/1.1 needs the header Host.');
  if (request.url.includes('%00')) return new AppError('bad_request', 'The address must not contain U+0000.');
  if (!isDecodable(request.url)) return new AppError('bad_request', 'The query has a malformed percent-encoding.');
  return strayToken(request);
}

/** The router has decoded the path. A query it would hand over as it is, and somebody be answered for other words than he meant. */
function isDecodable(url: string): boolean {
  const query = url.indexOf('?');
  if (query < 0 || !url.includes('%', query)) return true;
  try {
    decodeURIComponent(url.slice(query));
    return true;
  } catch {
    return false;
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] as string;
}

interface ErrorOptions extends Pick<ServerOptions, 'onUnavailable' | 'figures'> {
  cors: Cors | null;
}

/** The key of an operator is good, whatever became of the tenant that it is about; the key of that tenant is not. */
function asTold({ operator, headers }: FastifyRequest, error: AppError): AppError {
  const isOfOperator = operator && headers['x-tenant-api-key'] === undefined;
  return error instanceof TenantDeleted && isOfOperator ? notFound('The tenant') : error;
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, options: ErrorOptions): void {
  const appError = asTold(request, toAppError(error));
  const status = errorStatus[appError.code];
  const { code, message, cause = error } = appError;
  if (status === 500) request.log.error({ err: cause, code }, message);
  // Whatever is unavailable is so for everybody: a line for each would drown the log, and fill the disk that is full. Who has
  // gone is told nothing, and was perhaps refused for nothing else.
  else if (status > 500 && !isClosed(reply))
    options.onUnavailable(cause, message, { request_id: request.id, ...idsOf(request), code });
  if (!isClosed(reply)) options.figures?.refusals.count(appError);
  // No route counts it.
  if (request.is404) options.figures?.http.unrouted.answered(status, reply.elapsedTime);
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="docket"');
  if (appError.retryAfterSeconds) reply.header('retry-after', appError.retryAfterSeconds);
  if (appError.limit) reply.headers(rateLimitHeaders(appError.limit, appError.retryAfterSeconds));
  reply
    .code(status)
    // Again, for what fails before any hook has run.
    .headers({ ...SAFE_HEADERS, ...options.cors?.headersOf(request), 'x-request-id': request.id })
    .type('application/json; charset=utf-8')
    .serializer(jsonLine)
    .send(toProblem(appError, request.id));
}

const brokenRequests: Record<string, AppError> = {
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('request_timeout', 'The request did not arrive in time; send it faster.'),
  HPE_HEADER_OVERFLOW: new AppError('headers_too_large', 'The headers are larger than 16 KB together.'),
};
const unreadable = new AppError('bad_request', 'This is not a valid HTTP request.');

/** Below the framework there is no reply object: the answer is written by hand. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, turns: Turns): void {
  if (isStopped(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (leaveToStream(socket, error.code)) return;
  const requestId = randomUUID();
  const problem = toProblem(brokenRequests[error.code ?? ''] ?? unreadable, requestId);
  const body = jsonLine(problem);
  turns.endAfterAnswers(
    socket,
    [
      `HTTP/1.1 ${problem.status} ${problem.title}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      ...Object.entries(SAFE_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
