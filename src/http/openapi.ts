/** The OpenAPI document, made from the routes themselves: what is not mounted is not in it. */
import swagger from '@fastify/swagger';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { Problem } from '../contract/problem.ts';
import { CONTRACT_VERSION } from '../contract/version.ts';
import { type ErrorCode, errorTitles } from '../errors.ts';
import { errorStatus } from './problem.ts';

const DESCRIPTION = `Docket takes in documents from many tenants and processes them in the background.

Three tiers: \`/api\` for tenants, \`/admin\` for operators (admin or internals key), \`/internals\` for the kernel
(internals key only). Every error has the shape *Problem*; every answer carries \`X-Request-Id\`.`;

export async function useOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Docket', version: CONTRACT_VERSION, description: DESCRIPTION },
      tags: [
        { name: 'health', description: 'Is it there?' },
        { name: 'tenants', description: 'Who may send documents' },
        { name: 'keys', description: 'What tenants prove themselves with' },
        { name: 'scopes', description: 'Named streams of documents' },
      ],
      components: {
        securitySchemes: {
          BearerAuth: { type: 'http', scheme: 'bearer', description: 'A key of the admin or the internals tier' },
        },
      },
    },
    convertConstToEnum: false,
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({ url, schema: schema && complete(schema, route) }),
    transformObject: (document) =>
      'openapiObject' in document ? finish(document.openapiObject) : document.swaggerObject,
  });
}

/** Adds what the tier of a route implies: its security, and the errors that come before any handler. */
function complete(schema: FastifySchema, route: RouteOptions): FastifySchema {
  if (schema.hide) return schema;
  const responses = schema.response as Record<string, TSchema>;
  return {
    ...schema,
    security: route.config?.tier === 'public' ? [] : [{ BearerAuth: [] }],
    response: { ...errorResponses(schema, route), ...responses },
  } as FastifySchema;
}

function errorResponses(schema: FastifySchema, route: RouteOptions): Record<string, TSchema> {
  const codes = new Set<ErrorCode>(['request_timeout', 'internal', 'unavailable', ...(route.config?.errors ?? [])]);
  if (schema.params || schema.querystring || schema.headers || schema.body) codes.add('validation_failed');
  if (schema.body)
    for (const code of ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const) codes.add(code);
  if (route.config?.tier !== 'public') codes.add('unauthorized');
  if (route.config?.tier === 'internals') codes.add('forbidden');

  const byStatus: Record<string, TSchema> = {};
  for (const [code, title] of Object.entries(errorTitles) as [ErrorCode, string][]) {
    if (!codes.has(code)) continue;
    const status = errorStatus[code];
    const before = byStatus[status]?.description;
    byStatus[status] = { ...Problem, description: before ? `${before}, or: ${title}` : title };
  }
  return byStatus;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the plain JSON that it is.
type Json = any;

/** Gives every body an example, and moves every schema with a title to the components. */
function finish(document: Json): Json {
  for (const operation of Object.values(document.paths).flatMap((path: Json) => Object.values(path)) as Json[]) {
    for (const { content } of [operation.requestBody ?? {}, ...Object.values<Json>(operation.responses)]) {
      const media = content?.['application/json'];
      if (media) media.example = sample(media.schema);
    }
  }
  const schemas: Record<string, Json> = {};
  document.paths = hoist(document.paths, schemas);
  document.components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return document;
}

/** A value that fits a schema, made from the examples in it. */
export function sample(schema: Json): Json {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf) return sample(schema.anyOf[0]);
  if (schema.type === 'array') return [sample(schema.items)];
  if (schema.type === 'object') {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, sample(property)]));
  }
  return schema.default ?? { string: 'text', integer: 0, boolean: true, null: null }[schema.type as string];
}

function hoist(node: Json, schemas: Record<string, Json>): Json {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => hoist(item, schemas));
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, hoist(value, schemas)]));
  if (typeof node.title !== 'string' || !node.type) return copy;
  const { title, ...schema } = copy;
  schemas[title] ??= schema;
  return { $ref: `#/components/schemas/${title}` };
}
