/** The types of the client: what becomes of each thing that openapi.yaml says. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { clientTypes } from '../../tools/client-types.ts';

const OPENAPI = `
paths:
  /api/things/{id}:
    post:
      summary: Change a thing
      parameters:
        - { $ref: "#/components/parameters/path.id" }
        - { in: query, name: wait, required: false, schema: { type: integer }, description: How long }
        - { in: header, name: X-Tenant-ID, required: true, schema: { type: string } }
        - { in: header, name: If-Match, required: false, schema: { type: string } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }
      responses:
        "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }
        "204": { description: Nothing }
        "404": { $ref: "#/components/responses/NotFound" }
  /admin/things:
    get:
      summary: Not for tenants
      responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Secret" } } } } }
components:
  parameters: { path.id: { in: path, name: id, required: true, schema: { type: string } } }
  responses:
    NotFound: { content: { application/json: { schema: { $ref: "#/components/schemas/Thing" }, examples: { not_found: {} } } } }
  schemas:
    Secret: { type: object, properties: { key: { type: string } } }
    Part.of.it: { type: string, enum: [ a, b ] }
    Thing:
      type: object
      description: A thing */ of many words
      required: [ name, parts, size ]
      properties:
        name: { type: [ string, "null" ], description: What it is called }
        size: { anyOf: [ { type: integer }, { type: "null" } ] }
        parts: { type: array, items: { $ref: "#/components/schemas/Part.of.it" } }
        kind: { type: string, const: thing }
        any: {}
        free: { type: object, additionalProperties: true, properties: {} }
        both: { allOf: [ { $ref: "#/components/schemas/Part.of.it" }, { type: object, properties: { deep-er: { type: boolean } } } ] }
`;

const TYPES = `/** What the service takes and answers under /api. Made by npm run generate from openapi.yaml. Do not edit. */

/** Stable: program against these. */
export type ErrorCode = 'not_found';

export type PartOfIt = 'a' | 'b';

/** A thing * / of many words */
export interface Thing {
  /** What it is called */
  name: string | null;
  size: number | null;
  parts: PartOfIt[];
  kind?: 'thing';
  any?: unknown;
  free?: Record<string, unknown>;
  both?: PartOfIt & {
    'deep-er'?: boolean;
  };
}

/** What each route takes and answers. */
export interface Routes {
  /** Change a thing */
  'POST /api/things/{id}': {
    path: {
      id: string;
    };
    query?: {
      /** How long */
      wait?: number | undefined;
    };
    header?: {
      'If-Match'?: string | undefined;
    };
    body: Thing;
    answer: Thing | undefined;
  };
}
`;

it('has the routes of tenants, and what these lead to', () => {
  expect(clientTypes(OPENAPI)).toBe(TYPES);
});

it('has every route under /api, every code of theirs, and nothing of the operators', () => {
  const types = clientTypes(readFileSync('openapi.yaml', 'utf8'));
  const paths = readFileSync('openapi.yaml', 'utf8').matchAll(/^ {2}(\/\S+):\n((?: {4}.*\n)+)/gm);
  for (const [, path = '', methods = ''] of paths) {
    for (const [, method = ''] of methods.matchAll(/^ {4}(get|post|patch|delete):$/gm)) {
      const route = `'${method.toUpperCase()} ${path}': {`;
      expect([route, types.includes(route)]).toEqual([route, path.startsWith('/api/')]);
    }
  }
  expect(types).toContain("  | 'idempotency_key_reused'");
  expect(types).toContain('export interface EventDocumentFailed {');
  expect(types).not.toMatch(/Tenant(List|Request)|Hatchery|Audit/);
});
