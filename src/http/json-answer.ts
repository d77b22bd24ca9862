/** JSON answers end in a newline: in a terminal, what comes next begins on a line of its own. */
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

/** For answers that no schema describes. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Compilers['buildSerializer']>;

const compilerOf = SerializerSelector() as BuildSerializer;

/** Fastify's own serializers and the newline, inside of them: a hook would cost every request, and count the length anew. */
export const buildSerializer: BuildSerializer = (...parts) => {
  const compile = compilerOf(...parts);
  return (route) => {
    const serialize = compile(route);
    return (value) => `${serialize(value)}\n`;
  };
};
