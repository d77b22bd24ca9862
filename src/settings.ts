/** Every setting of the service, in one schema: what it is for, its default, and what may be set. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';

const keyList = (tier: string) =>
  Type.Array(Type.String({ minLength: 32, pattern: '^[\\x21-\\x7e]+$' }), {
    default: [],
    description: `Bootstrap keys of the ${tier} tier, separated by commas; beside those kept in the database`,
    expected: 'keys of 32 or more printable characters, separated by commas',
    secret: true,
  });

/** An origin that differs in a letter from what a browser sends would never match. */
const ORIGIN =
  '^(?:http://(?!.*:80$)|https://(?!.*:443$))(?:[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*|\\[[0-9a-f:.]+\\])(?::[1-9][0-9]{0,4})?$';

/** What of these is no address is found out afterwards. */
const ADDRESSES = '^(?:loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(?:/[0-9]{1,3})?)$';

export const settings = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address to listen on', expected: 'an address or host name' }),
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 takes a free one',
  }),
  ROLE: Type.Union([Type.Literal('all'), Type.Literal('api'), Type.Literal('worker')], {
    default: 'all',
    description:
      'What this process does: serve the API, work, or both. A worker serves only the probes, the health routes and `/internals`',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description: 'Postgres 14 or newer. Not set: an embedded Postgres under `DATA_DIR`',
      expected: 'a URL such as postgres://user:password@host:5432/database',
      secret: true,
    }),
  ),
  REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://',
      description: 'Redis or Valkey for the queue. Not set: the queue is kept in Postgres',
      expected: 'a URL such as redis://user:password@host:6379/0',
      secret: true,
    }),
  ),
  DATA_DIR: Type.String({
    default: '.data',
    description: 'Where the embedded Postgres keeps its data',
    expected: 'a folder',
  }),
  DB_POOL_SIZE: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 200,
    description:
      'Connections to Postgres, beside nine that only accept documents and look up keys, two for streams that resume, and those of the queue',
  }),
  DB_TIMEOUT_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    maximum: 600_000,
    description: 'Longest wait for a connection, and longest statement',
  }),
  ADMIN_API_KEYS: keyList('admin'),
  INTERNALS_API_KEYS: keyList('internals'),
  REQUIRE_TENANT_KEY: Type.Boolean({
    default: false,
    description: 'Whether posting under `/api` needs the tenant key beside `X-Tenant-ID`',
  }),
  CORS_ORIGINS: Type.Array(Type.String({ maxLength: 300, pattern: ORIGIN }), {
    default: [],
    maxItems: 1000,
    description: 'Origins whose pages may call `/api` from a browser, separated by commas. Not set: none',
    expected:
      'origins as browsers send them, such as https://app.example.com, separated by commas; no path, no default port, no *',
  }),
  TRUST_PROXY: Type.Array(Type.String({ maxLength: 100, pattern: ADDRESSES }), {
    default: [],
    maxItems: 100,
    description:
      'Proxies whose `X-Forwarded-For` is believed when the audit log says from where, separated by commas: addresses, networks, or loopback, linklocal and uniquelocal. Not set: none, and who connects is meant',
    expected: 'addresses or networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas',
  }),
  TENANT_RATE_PER_S: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Documents a second that a tenant may post to this process, unless it has a limit of its own; then 429',
  }),
  TENANT_BURST: Type.Integer({
    default: 4000,
    minimum: 1,
    maximum: 10_000_000,
    description: 'How many it may post at once after a pause',
  }),
  TENANT_BACKLOG: Type.Integer({
    default: 1_000_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Documents of a tenant that may wait to be processed; then 429',
  }),
  TENANT_BYTES_PER_S: Type.Integer({
    default: 4_000_000,
    minimum: 1000,
    maximum: 1_000_000_000,
    description: 'Bytes a second that it may post, twice as many at once after a pause; then 429',
  }),
  TENANT_READS_PER_S: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Requests a second, with its key, that read or delete, an answer once for each 64 KB, twice as many at once; then 429',
  }),
  TENANT_REPORTS_PER_S: Type.Integer({
    default: 50,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Contradictions a second that it may report, twice as many at once; then 429',
  }),
  TENANT_SCOPES: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: 100_000_000,
    description: 'Scopes that a tenant may have, unless it has a limit of its own; then 409',
  }),
  TENANT_LANES: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description:
        'Turns in which a tenant may take part at once, over all nodes; one has up to 250 documents, of any of its scopes. Not set: one less than `WORKERS`, so that a worker is left for the others',
    }),
  ),
  WORKERS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 256,
      description:
        'Scopes that this process works on at once. Not set: two more than `THREADS`, which keeps those busy',
    }),
  ),
  THREADS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 256,
      description:
        'Threads in which documents are read, and as many again for those of more than 10,000 characters when there are such. Not set: one less than there are cores',
    }),
  ),
  LANE_LEASE_MS: Type.Integer({
    default: 15_000,
    minimum: 500,
    maximum: 600_000,
    description: 'How long a worker that has vanished keeps others from its scope',
  }),
  DOCUMENT_TIMEOUT_MS: Type.Integer({
    default: 5000,
    minimum: 100,
    maximum: 600_000,
    description: 'Longest time that reading one document may take; then the attempt has failed',
  }),
  DOCUMENT_MEMORY_MB: Type.Integer({
    default: 256,
    minimum: 32,
    maximum: 16_384,
    description: 'Memory of a thread; a document that needs more has failed',
  }),
  INDEX_CACHE_MB: Type.Integer({
    default: 128,
    minimum: 0,
    maximum: 16_384,
    description:
      'Memory for what is known of the scopes that were worked on last; what is not there is read from Postgres again',
  }),
  INDEX_SCOPE_KEYS: Type.Integer({
    default: 400_000,
    minimum: 0,
    maximum: 10_000_000,
    description:
      'Keys by which the documents of one scope are found without asking Postgres, some 50 for a sentence and all that goes with it, as long as INDEX_CACHE_MB has room for them; those of its older documents are filed in a table',
  }),
  DOCUMENT_ATTEMPTS: Type.Integer({
    default: 5,
    minimum: 1,
    maximum: 100,
    description: 'Attempts at a document before it is `failed`',
  }),
  RETRY_BASE_MS: Type.Integer({
    default: 1000,
    minimum: 10,
    maximum: 300_000,
    description: 'Wait before the second attempt; twice as long before each further one, at most 5 minutes',
  }),
  EVENTS_KEEP_HOURS: Type.Integer({
    default: 168,
    minimum: 1,
    maximum: 87_600,
    description: 'How long events are kept for those who resume a stream',
  }),
  EVENTS_KEEP_MOST: Type.Integer({
    default: 10_000_000,
    minimum: 1000,
    maximum: 1_000_000_000,
    description: 'How many events are kept at most',
  }),
  AUDIT_KEEP_DAYS: Type.Integer({
    default: 400,
    minimum: 1,
    maximum: 36_500,
    description: 'How long the audit log keeps who changed what',
  }),
  MAX_STREAMS: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Event streams that this process has open at once; then 503. Tenants are refused at 95 % of it: the rest is for operators',
  }),
  TENANT_STREAMS: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Event streams of one tenant that this process has open at once; then 503',
  }),
  // With a megabyte each, these leave room among the bodies (`http/body-budget.ts`) for the longest line of any of them.
  MAX_INGEST_STREAMS: Type.Integer({
    default: 64,
    minimum: 1,
    maximum: 96,
    description:
      'Streams of documents that this process takes in at once, each with up to a few megabytes in memory; then who has most gives one up for who has fewer, or it is 503',
  }),
  TENANT_INGEST_STREAMS: Type.Integer({
    default: 8,
    minimum: 1,
    maximum: 28,
    description: 'Streams of documents of one tenant that this process takes in at once; then 429',
  }),
  MAX_WAITERS: Type.Integer({
    default: 4000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Requests that wait for documents in this process at once; then 503',
  }),
  TENANT_WAITERS: Type.Integer({
    default: 1000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Such requests of one tenant, and of all operators together; then 503',
  }),
  MAX_EXPORTS: Type.Integer({
    default: 32,
    minimum: 1,
    maximum: 10_000,
    description:
      'Exports that this process has open at once, each with two pages of its scope in memory; then who has most gives one up for who has fewer, or it is 503',
  }),
  TENANT_EXPORTS: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 10_000,
    description: 'Exports of one tenant that this process has open at once; then 429',
  }),
  EXTRACTOR_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'An extractor of your own: each document is posted to it, and its answer has the claims (`docs/extractor.md`). Not set: the built-in one',
      expected: 'a URL such as http://127.0.0.1:9000/claims',
    }),
  ),
  EXTRACTOR_KEY: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Sent to it as a bearer token',
      expected: 'printable characters',
      secret: true,
    }),
  ),
  EXTRACTOR_TIMEOUT_MS: Type.Integer({
    default: 5000,
    minimum: 50,
    maximum: 120_000,
    description: 'Longest time it may take for an answer',
  }),
  EXTRACTOR_ATTEMPTS: Type.Integer({
    default: 3,
    minimum: 1,
    maximum: 10,
    description: 'Attempts at a document before the built-in extractor reads it',
  }),
  EXTRACTOR_AT_ONCE: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 250,
    description: 'Documents of this process that it has at once',
  }),
  CONVERGENCE_WEIGHTS: Type.Array(Type.Number({ minimum: 0, maximum: 1000 }), {
    default: [0.55, 0.25, 0.15, 0.05],
    minItems: 4,
    maxItems: 4,
    description:
      'How much agreement, coverage, stability and corroboration weigh, in this order; only their ratio counts',
    expected: 'four numbers separated by commas, such as 0.55,0.25,0.15,0.05, not all of them 0',
  }),
  REQUEST_TIMEOUT_MS: Type.Integer({
    default: 15_000,
    minimum: 100,
    maximum: 600_000,
    description: 'Longest time a client may take to send a request; then 408',
  }),
  HANDLER_TIMEOUT_MS: Type.Integer({
    default: 30_000,
    minimum: 100,
    maximum: 600_000,
    description: 'Longest time the service may take to answer; then 503',
  }),
  MAX_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Open connections; for each one more, the one that has been idle or sending longest is closed',
  }),
  DRAIN_DELAY_MS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 600_000,
    description:
      'How long connections are still taken after the process was told to end, and `/readyz` is 503: for balancers that look now and then. A second signal ends it',
  }),
  LOG_LEVEL: Type.Union(
    (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map((level) => Type.Literal(level)),
    {
      default: 'info',
      description: '`debug` adds a line for each request; of what is unavailable, `info` has one of a kind in 30 s',
    },
  ),
});

export type Config = Static<typeof settings>;

export function expectation(schema: TSchema): string {
  if (schema.expected) return schema.expected;
  if (schema.type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'boolean') return 'true or false';
  return `one of ${schema.anyOf.map((option: TSchema) => option.const).join(', ')}`;
}
