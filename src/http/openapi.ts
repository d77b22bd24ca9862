/** The OpenAPI document, made from the routes themselves: what is not mounted is not in it. */
import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { Problem } from '../contract/problem.ts';
import { CONTRACT_VERSION } from '../contract/version.ts';
import { AppError, type ErrorCode, errorTitles } from '../errors.ts';
import { errorStatus, toProblem } from './problem.ts';

const DESCRIPTION = `Docket takes in documents from many tenants and processes them in the background.

Three tiers: \`/api\` for tenants, \`/admin\` for operators (admin or internals key), \`/internals\` for the kernel
(internals key only). Every error has the shape *Problem*; every answer carries \`X-Request-Id\`.`;

export async function useOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      servers: [{ url: '/', description: 'Where this document was read' }],
      info: { title: 'Docket', version: CONTRACT_VERSION, description: DESCRIPTION },
      tags: [
        { name: 'health', description: 'Is it there?' },
        { name: 'tenants', description: 'Who may send documents' },
        { name: 'keys', description: 'What tenants prove themselves with' },
        { name: 'scopes', description: 'Named streams of documents' },
        { name: 'documents', description: 'What is processed' },
        { name: 'contradictions', description: 'Where documents disagree' },
        { name: 'events', description: 'What happens, as it happens' },
        { name: 'runtime', description: 'Whether documents may be processed' },
        { name: 'kernel', description: 'What processes them' },
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
  const errors = errorResponses(schema, route);
  const answers = Object.entries(schema.response as Record<string, TSchema>).map(([status, body]) => {
    if (body.type === 'null') return [status, body];
    const error = errors[status];
    const description = [error?.description, body.description ?? STATUS_CODES[status]].filter(Boolean).join('; or: ');
    // An error of its own does not replace those that come before any handler.
    const either = error ? Type.Union([body, Problem]) : body;
    return [status, { description, content: media(either, sample(body)) }];
  });
  return {
    ...schema,
    security: route.config?.tier === 'public' ? [] : [{ BearerAuth: [] }],
    response: { ...errors, ...Object.fromEntries(answers) },
  } as FastifySchema;
}

interface ErrorResponse {
  description: string;
  content: object;
}

function errorResponses(schema: FastifySchema, route: RouteOptions): Record<string, ErrorResponse> {
  const codes = new Set<ErrorCode>(['bad_request', 'request_timeout', 'internal', 'unavailable']);
  for (const code of route.config?.errors ?? []) codes.add(code);
  if (schema.params || schema.querystring || schema.headers || schema.body) codes.add('validation_failed');
  // Also where none is asked for: what comes is read.
  if (route.method !== 'GET') for (const code of BODY_ERRORS) codes.add(code);
  if (route.config?.tier !== 'public') codes.add('unauthorized');
  if (route.config?.tier === 'internals') codes.add('forbidden');

  const responses: Record<string, ErrorResponse> = {};
  for (const code of Object.keys(errorTitles) as ErrorCode[]) {
    if (!codes.has(code)) continue;
    const before = responses[errorStatus[code]];
    const example = toProblem(new AppError(code, 'What happened here, and what to do next.'), 'the request id');
    if (before) before.description += `; or: ${errorTitles[code]}`;
    else responses[errorStatus[code]] = { description: errorTitles[code], content: media(Problem, example) };
  }
  return responses;
}

const BODY_ERRORS = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const;

const media = (schema: TSchema, example: unknown = sample(schema)) => ({
  [schema.contentMediaType ?? 'application/json']: { schema, example },
});

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the plain JSON that it is.
type Json = any;

/** Gives every request an example, says what may be left out, and moves every schema with a title to the components. */
function finish(document: Json): Json {
  for (const { parameters = [], requestBody } of Object.values<Json>(document.paths).flatMap(Object.values<Json>)) {
    for (const parameter of parameters) parameter.required &&= parameter.schema.default === undefined;
    if (!requestBody) continue;
    const media = requestBody.content['application/json'];
    media.example ??= sample(media.schema);
    const required = media.schema.required?.filter(
      (name: string) => media.schema.properties[name].default === undefined,
    );
    if (required) media.schema.required = required;
    requestBody.required = required !== undefined || media.schema.minProperties > 0;
  }
  const schemas: Record<string, Json> = {};
  document.paths = hoist(document.paths, schemas);
  document.components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return document;
}

/** A value that fits a schema, made from the examples in it. */
function sample(schema: Json): Json {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf) return sample(schema.anyOf[0]);
  if (schema.type === 'array') return [sample(schema.items)];
  if (schema.type === 'object') {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, sample(property)]));
  }
  return schema.default ?? { string: 'text', number: 0, integer: 0, boolean: true, null: null }[schema.type as string];
}

function hoist(node: Json, schemas: Record<string, Json>): Json {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => hoist(item, schemas));
  const entries = Object.entries(node).map(([name, value]) => [
    name,
    name === 'example' ? value : hoist(value, schemas),
  ]);
  const copy = Object.fromEntries(entries);
  if (typeof node.title !== 'string' || !node.type) return copy;
  const { title, ...schema } = copy;
  schemas[title] ??= schema;
  return { $ref: `#/components/schemas/${title}` };
}
