/** The types of client/src/api-types.ts: what openapi.yaml says of the routes under /api, and of all that these take and answer. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
}

interface Content {
  schema?: Schema;
  examples?: Record<string, unknown>;
}

interface Response {
  $ref?: string;
  content?: Record<string, Content>;
}

interface Parameter {
  $ref?: string;
  in: 'path' | 'query' | 'header';
  name: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, Response>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
  };
}

/** The tier of tenants, whom the client is for. */
const TIER = '/api/';
/** The client sends these with every request. */
const OF_THE_CLIENT = ['X-Tenant-ID', 'X-Tenant-API-Key'];
const COMMENT_WIDTH = 100;
const HEADER =
  '/** What the service takes and answers under /api. Made by npm run generate from openapi.yaml. Do not edit. */\n';

export function clientTypes(openApiYaml: string): string {
  const openApi = parse(openApiYaml) as OpenApi;
  const routes = Object.entries(openApi.paths)
    .filter(([path]) => path.startsWith(TIER))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    );
  const operations = routes.map(({ operation }) => operation);
  const reached = schemasOf(openApi, operations);
  const schemas = Object.entries(openApi.components.schemas).filter(([name]) => reached.has(name));
  const codes = [...new Set(operations.flatMap((operation) => codesOf(openApi, operation)))];
  return formatted(
    [
      HEADER,
      '/** Stable: program against these. */',
      `export type ErrorCode = ${codes.map((code) => JSON.stringify(code)).join(' | ')};\n`,
      ...schemas.map(([name, schema]) => declaration(name, schema)),
      '/** What each route takes and answers. */',
      `export interface Routes {\n${routes.map(({ name, operation }) => route(openApi, name, operation)).join('\n')}\n}\n`,
    ].join('\n'),
  );
}

/** The names of all schemas that the operations lead to, whichever way. */
function schemasOf({ components }: OpenApi, operations: Operation[]): Set<string> {
  const reached = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as Schema;
    if (typeof $ref === 'string') {
      const [kind = '', name = ''] = $ref.split('/').slice(2);
      if (kind !== 'schemas') visit(components[kind as 'responses' | 'parameters']?.[name]);
      else if (!reached.has(name)) {
        reached.add(name);
        visit(components.schemas[name]);
      }
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(operations);
  // The payload of a tenant's event is that of the operators' event of the same type, as its description says.
  const types = components.schemas.TenantEvent?.properties?.type?.enum ?? [];
  for (const type of types) visit({ $ref: `#/components/schemas/Event.${type}` });
  return reached;
}

const resolved = <Part extends { $ref?: string }>(parts: Record<string, Part>, part: Part): Part =>
  part.$ref ? (parts[part.$ref.split('/').at(-1) as string] as Part) : part;

/** Each refusal has an example for every code that it may have. */
function codesOf({ components }: OpenApi, { responses }: Operation): string[] {
  return Object.values(responses)
    .map((response) => resolved(components.responses, response))
    .flatMap(({ content = {} }) => Object.values(content))
    .flatMap(({ examples = {}, schema }) => [
      ...Object.keys(examples),
      ...(schema?.anyOf ?? []).map((one) => resolved(components.schemas, one).properties?.code?.const as string),
    ])
    .filter((code) => code !== undefined);
}

function route(
  openApi: OpenApi,
  name: string,
  { summary, parameters = [], requestBody, responses }: Operation,
): string {
  const all = parameters.map((parameter) => resolved(openApi.components.parameters, parameter));
  const parts = (['path', 'query', 'header'] as const).flatMap((place) => {
    const here = all.filter((parameter) => parameter.in === place && !OF_THE_CLIENT.includes(parameter.name));
    if (here.length === 0) return [];
    const isNeeded = here.some(({ required }) => required);
    const members = here.map(
      ({ name, required, description, schema }) =>
        `${comment(description)}${key(name)}${required ? '' : '?'}: ${typeOf(schema)}${required ? '' : ' | undefined'};`,
    );
    return [`${place}${isNeeded ? '' : '?'}: {\n${members.join('\n')}\n};`];
  });
  if (requestBody) parts.push(`body${requestBody.required ? '' : '?'}: ${contentType(requestBody.content)};`);
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => contentType(resolved(openApi.components.responses, response).content));
  return `${comment(summary)}${key(name)}: {\n${parts.join('\n')}\nanswer: ${[...new Set(answers)].join(' | ')};\n};`;
}

function contentType(content: Record<string, Content> | undefined): string {
  const [first] = Object.values(content ?? {});
  return first?.schema ? typeOf(first.schema) : 'undefined';
}

function declaration(name: string, schema: Schema): string {
  const isPlain = schema.properties && !schema.allOf && Object.keys(schema.properties).length > 0;
  const made = isPlain
    ? `interface ${typeName(name)} ${typeOf(schema)}`
    : `type ${typeName(name)} = ${typeOf(schema)};`;
  return `${comment(schema.description)}export ${made}\n`;
}

/** `Event.document.processed` is `EventDocumentProcessed`. */
const typeName = (name: string) => name.replaceAll(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase());
const key = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name));

function typeOf(schema: Schema): string {
  if (schema.$ref) return typeName(schema.$ref.split('/').at(-1) as string);
  if (schema.anyOf) return union(schema.anyOf.map(typeOf));
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`;
  if (schema.type === 'object') return objectType(schema);
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
}

const union = (types: string[]) => [...new Set(types)].join(' | ');

function objectType({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description)}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  return members.length > 0 ? `{\n${members.join('\n')}\n}` : 'Record<string, unknown>';
}

function comment(text: string | undefined): string {
  if (!text) return '';
  const lines = [''];
  for (const word of text.replaceAll('*/', '* /').split(/\s+/)) {
    if (`${lines.at(-1)} ${word}`.length > COMMENT_WIDTH) lines.push(word);
    else lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}

/** By the same hand as all other files. */
function formatted(text: string): string {
  const biome = join('node_modules', '.bin', 'biome');
  const args = ['format', '--stdin-file-path=client/src/api-types.ts'];
  const { status, stdout, stderr } = spawnSync(biome, args, { input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(`biome could not format the types of the client: ${stderr}`);
  return stdout;
}
