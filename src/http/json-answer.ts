/** JSON answers end in a newline: in a terminal, what comes next begins on a line of its own. */
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

/** Serves answers that no schema describes. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Compilers['buildSerializer']>;

const compilerOf = SerializerSelector() as BuildSerializer;

/** A union with null is a validation for each value, a third of the time of writing JSON; `nullable` is a comparison. */
function withNullables<Schema>(schema: Schema): Schema {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withNullables) as Schema;
  const { anyOf: [one, other, ...more] = [], ...rest } = schema as { anyOf?: { type?: string }[] };
  if (one?.type && other?.type === 'null' && more.length === 0)
    return withNullables({ ...rest, ...one, nullable: true }) as Schema;
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, withNullables(part)])) as Schema;
}

/**
 * Builds Fastify's own serializers, with the newline inside of them: a hook would cost every request, and count the length anew.
 * Each is made for the first answer of its route, and routes with the same answer share one: to make one for each at the start took
 * a fourth of the time in which the app gets ready.
 */
export const buildSerializer: BuildSerializer = (...parts) => {
  const compile = compilerOf(...parts);
  const made = new Map<string, (value: unknown) => string>();
  const make: typeof compile = (route) => {
    const schema = JSON.stringify(route.schema);
    const serialize = made.get(schema) ?? compile({ ...route, schema: withNullables(route.schema) });
    made.set(schema, serialize);
    return serialize;
  };
  return (route) => {
    let serialize: ((value: unknown) => string) | undefined;
    return (value) => {
      serialize ??= make(route);
      return `${serialize(value)}\n`;
    };
  };
};
