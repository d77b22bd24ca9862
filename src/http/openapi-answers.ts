/** What a route may answer, as the contract lists it: its own answers, and the errors that come before any handler. */
import { STATUS_CODES } from 'node:http';
import { type TSchema, Type } from '@sinclair/typebox';
import type { RouteOptions } from 'fastify';
import { type AnswerHeader, answerHeaders } from '../contract/headers.ts';
import { Problem } from '../contract/problem.ts';
import { AppError, type ErrorCode, errorTitles } from '../errors.ts';
import { errorStatus, toProblem } from './problem.ts';
import { asksOperators, isReading } from './tiers.ts';

/** Of what is said once for all operations, under a name. */
export type Components = Record<string, object>;

/** By status. Errors are put into the components, and only referred to. */
export function answersOf(method: string, route: RouteOptions, responses: Components): Record<string, object> {
  const answers: Record<string, object> = {};
  const errors = Map.groupBy(errorsOf(method, route), (code) => errorStatus[code]);
  for (const [status, codes] of errors) {
    const name = codes.map(inPascalCase).join('Or');
    responses[name] ??= errorAnswer(codes);
    answers[status] = { $ref: `#/components/responses/${name}` };
  }
  const { response } = route.schema as { response: Record<string, TSchema> };
  for (const [status, body] of Object.entries(response)) {
    const codes = errors.get(Number(status)) ?? [];
    answers[status] = {
      ...ownAnswer(Number(status), body, codes),
      ...headersOf([...headersOfErrors(codes), ...(route.config?.headers?.[Number(status)] ?? [])]),
    };
  }
  return answers;
}

function ownAnswer(status: number, body: TSchema, errors: ErrorCode[]): object {
  const description = [...errors.map((code) => errorTitles[code]), body.description ?? STATUS_CODES[status]];
  // An error of its own does not replace those that come before any handler.
  const schema = errors.length > 0 ? Type.Union([body, Problem]) : body;
  return {
    description: description.join('; or: '),
    ...(body.type !== 'null' && { content: { [body.contentMediaType ?? 'application/json']: { schema } } }),
  };
}

function errorAnswer(codes: ErrorCode[]): object {
  const examples = codes.map((code) => {
    const error = new AppError(code, 'What happened here, and what to do next.');
    return [code, { value: toProblem(error, 'the request id') }];
  });
  return {
    description: codes.map((code) => errorTitles[code]).join('; or: '),
    content: { 'application/json': { schema: Problem, examples: Object.fromEntries(examples) } },
    ...headersOf(headersOfErrors(codes)),
  };
}

const ERROR_HEADERS: Partial<Record<ErrorCode, AnswerHeader[]>> = {
  unauthorized: ['WWW-Authenticate'],
  too_many_requests: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  unavailable: ['Retry-After'],
};

const headersOfErrors = (codes: ErrorCode[]) => codes.flatMap((code) => ERROR_HEADERS[code] ?? []);

function headersOf(names: AnswerHeader[]): object {
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return names.length > 0 ? { headers: Object.fromEntries(references) } : {};
}

/** All that is referred to. */
export function headerComponents(): Components {
  return Object.fromEntries(
    Object.entries(answerHeaders).map(([name, { description, ...schema }]) => [name, { description, schema }]),
  );
}

const BODY_ERRORS = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const;

/** In the order in which all of them are listed. */
function errorsOf(method: string, { config, schema = {} }: RouteOptions): ErrorCode[] {
  const codes = new Set<ErrorCode>(['bad_request', 'request_timeout', 'internal', 'unavailable']);
  for (const code of config?.errors ?? []) codes.add(code);
  // Also where nothing is asked for: a token for streams is refused in every tier.
  const asks = schema.params || schema.querystring || schema.headers || schema.body;
  if (asks || config?.tier !== 'open') codes.add('validation_failed');
  // Also where none is asked for: what comes is read.
  if (method !== 'get') for (const code of BODY_ERRORS) codes.add(code);
  if (asksOperators(config?.tier)) codes.add('unauthorized');
  // Keys of operators may be read-only.
  const isRefusable = asksOperators(config?.tier) && !isReading(method.toUpperCase());
  if (config?.tier === 'internals' || config?.asks || isRefusable) codes.add('forbidden');
  if (config?.asks?.scopesIn.length) codes.add('not_found');
  return (Object.keys(errorTitles) as ErrorCode[]).filter((code) => codes.has(code));
}

const inPascalCase = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
