/**
 * What checks requests and writes answers is made at the first of each route: that it can be made is seen here, for all routes and
 * statuses, and not by whoever asks first.
 */
import type { FastifySchema, RouteOptions } from 'fastify';
import { expect, it } from 'vitest';
import { buildSerializer } from '../../src/http/json-answer.ts';
import { startTestService } from '../support/service.ts';

const { app } = await startTestService();
const routes = app.routes as (RouteOptions & { schema?: FastifySchema })[];
/** As the server has it made. */
const serializerOf = buildSerializer({}, {});
const PARTS = ['body', 'querystring', 'params', 'headers'] as const;
/** What a serializer says of a value that is not what it writes: then there is one. */
const OF_THE_VALUE = /is required|of undefined|of null|cannot be converted|does not match|undefined or null/;

const requests = routes.flatMap(({ url, method, schema }) =>
  PARTS.filter((part) => schema?.[part]).map((httpPart) => ({ url, method, httpPart, schema: schema?.[httpPart] })),
);
const answers = routes.flatMap(({ url, method, schema }) =>
  Object.entries(schema?.response ?? {})
    .filter(([, answer]) => 'type' in answer || 'anyOf' in answer)
    .map(([httpStatus, answer]) => ({ url, method, httpStatus, schema: answer })),
);

it('there are some of each', () => {
  expect(requests.length).toBeGreaterThan(100);
  expect(answers.length).toBeGreaterThan(100);
});

it.each(requests)('$method $url takes a $httpPart', (request) => {
  const validate = app.validatorCompiler?.(request as never) as (value: unknown) => unknown;
  expect(() => validate({})).not.toThrow();
});

it.each(answers)('$method $url answers $httpStatus', (answer) => {
  const serialize = serializerOf(answer as never);
  let said = 'is required';
  try {
    serialize({});
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said).toMatch(OF_THE_VALUE);
});
