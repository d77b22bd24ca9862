/** The OpenAPI document, made from the routes themselves: what is not mounted is not in it. */
import swagger from '@fastify/swagger';
import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { CONTRACT_VERSION } from '../contract/version.ts';
import { answersOf, headerComponents } from './openapi-answers.ts';
import { moveToComponents } from './openapi-components.ts';
import { asksOperators } from './tiers.ts';

const DESCRIPTION = `Docket takes in documents from many tenants and processes them in the background.

Three tiers: \`/api\` for tenants, \`/admin\` for operators (admin or internals key), \`/internals\` for the kernel
(internals key only). Every error has the shape *Problem*; every answer carries \`X-Request-Id\`.`;

const TENANT_KEY = 'X-Tenant-API-Key';

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
        { name: 'facts', description: 'What the documents of a scope say, by how many, and where they disagree' },
        { name: 'documents', description: 'What is processed' },
        { name: 'contradictions', description: 'Where documents disagree' },
        { name: 'events', description: 'What happens, as it happens' },
        { name: 'audit', description: 'Who changed what' },
        { name: 'runtime', description: 'Whether documents may be processed' },
        { name: 'kernel', description: 'What processes them' },
      ],
      components: {
        securitySchemes: {
          BearerAuth: { type: 'http', scheme: 'bearer', description: 'A key of the admin or the internals tier' },
          TenantKey: { type: 'apiKey', in: 'header', name: TENANT_KEY, description: 'A key of a tenant' },
          StreamToken: { type: 'apiKey', in: 'query', name: 'token', description: 'A token that was made with one' },
        },
      },
    },
    convertConstToEnum: false,
    hideUntagged: true,
    transformObject: (document) =>
      'openapiObject' in document ? finish(document.openapiObject, app.routes) : document.swaggerObject,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the plain JSON that it is.
type Json = any;

/** Adds what the tier of a route implies, gives every request an example, and says what may be left out. */
function finish(document: Json, routes: RouteOptions[]): Json {
  const responses = {};
  for (const [method, operation] of Object.values<Json>(document.paths).flatMap(Object.entries<Json>)) {
    const route = routes.find(({ schema }) => (schema as Json)?.operationId === operation.operationId) as RouteOptions;
    operation.security = securityOf(route);
    operation.responses = answersOf(method, route, responses);
    for (const parameter of operation.parameters ?? []) parameter.required &&= parameter.schema.default === undefined;
    if (operation.requestBody) finishBody(operation.requestBody);
  }
  Object.assign(document.components, { responses, headers: headerComponents() });
  return moveToComponents(document);
}

/** Set here, since the plugin leaves out a header that is a security scheme, and the contract has it as a parameter too. */
function securityOf({ config, schema }: RouteOptions): Record<string, string[]>[] {
  const isKeyed = asksOperators(config?.tier);
  const tier = isKeyed ? { BearerAuth: [] } : {};
  const headers = schema?.headers as TObject | undefined;
  if (!headers?.properties[TENANT_KEY]) return isKeyed ? [tier] : [];
  const withKey = { ...tier, TenantKey: [] };
  if ((schema?.querystring as TObject | undefined)?.properties.token) return [withKey, { StreamToken: [] }];
  return headers.required?.includes(TENANT_KEY) ? [withKey] : [withKey, tier];
}

function finishBody(requestBody: Json): void {
  const [[type, media] = []] = Object.entries<Json>(requestBody.content);
  media.example ??= sample(media.schema);
  const { properties, required, minProperties = 0 } = media.schema as TObject;
  const needed = required?.filter((name) => properties[name]?.default === undefined);
  media.schema.required = needed?.length ? needed : undefined;
  // Of lines there may be none.
  requestBody.required = type === 'application/json' && (media.schema.required !== undefined || minProperties > 0);
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
