/** Strict validation: nothing is coerced in a body and nothing is stripped; every complaint names its field. */
import type { TObject } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import type { FieldError } from '../errors.ts';
import { isStorable, NOT_STORABLE } from './storable.ts';

export type AjvComplaint = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'message' | 'parentSchema'>;

/** Enough to mend a request by; a body made of mistakes must not grow its answer without end. */
const MAX_COMPLAINTS = 20;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const PART_NAMES: Record<string, string> = { querystring: 'query' };

export function useStrictValidation(app: FastifyInstance): void {
  const body = compiler(false);
  // Addresses and headers carry only text, so there "50" is how a number looks.
  const text = compiler(true);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    whenAsked(() => {
      if (httpPart === 'body') return body.compile(schema as object);
      return text.compile(httpPart === 'headers' ? inLowerCase(schema as TObject) : (schema as object));
    }),
  );
}

/** Made at the first request of its route: to make all of them took a third of the time in which the app gets ready. */
function whenAsked(compile: () => ValidateFunction) {
  let made: ValidateFunction | undefined;
  // Fastify tells where the value stands, for what is to be replaced as a whole.
  const validate = (value: unknown, place?: Parameters<ValidateFunction>[1]) => {
    made ??= compile();
    const isValid = made(value, place);
    validate.errors = made.errors ?? null;
    return isValid;
  };
  validate.errors = null as ErrorObject[] | null;
  validate.schemaEnv = true;
  return validate;
}

/** The contract writes headers as people do; Node hands them over in lower case. */
function inLowerCase(schema: TObject): object {
  const properties = Object.entries(schema.properties).map(([name, property]) => [name.toLowerCase(), property]);
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: schema.required?.map((name) => name.toLowerCase()),
  };
}

function compiler(coerceTypes: boolean): Ajv {
  // Strict about numbers, it would not hold an infinite one, which '1e400' is coerced to, against any bound.
  const strictNumbers = !coerceTypes;
  // So that a complaint about what is no number can name the bounds.
  const verbose = coerceTypes;
  const options = { coerceTypes, strictNumbers, useDefaults: true, removeAdditional: false, allErrors: true, verbose };
  const ajv = new Ajv(options);
  addFormats.default(ajv);
  // Theirs takes any blank for the T, and a leap second: Postgres and Date do not.
  const theirs = ajv.formats['date-time'] as { validate(text: string): boolean };
  ajv.addFormat('date-time', (text: string) => RFC_3339.test(text) && theirs.validate(text) && !/:60/.test(text));
  for (const keyword of ['minLength', 'maxLength'] as const) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({ keyword, type: 'string', schemaType: 'number', validate: lengthCheck(keyword), errors: true });
  }
  return ajv;
}

/** As JSON Schema has it, by code points, but counted only where the count of UTF-16 units leaves a doubt. */
function lengthCheck(keyword: 'minLength' | 'maxLength'): SchemaValidateFunction {
  const fits = {
    minLength: (limit: number, text: string) => text.length >= 2 * limit || codePoints(text) >= limit,
    maxLength: (limit: number, text: string) =>
      text.length <= limit || (text.length <= 2 * limit && codePoints(text) <= limit),
  }[keyword];
  const check: SchemaValidateFunction = (limit: number, text: string) => {
    const ok = fits(limit, text);
    if (!ok) {
      const message = `must NOT have ${keyword === 'minLength' ? 'fewer' : 'more'} than ${limit} characters`;
      check.errors = [{ keyword, params: { limit }, message }];
    }
    return ok;
  };
  return check;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

/** A name that is not known may be much longer. */
const SHOWN_LENGTH = 100;

function shown(path: string): string {
  // A cut may halve a character.
  return path.length <= SHOWN_LENGTH ? path : `${path.slice(0, SHOWN_LENGTH).toWellFormed()}…`;
}

export function toFieldErrors(complaints: AjvComplaint[], part: string): FieldError[] {
  const root = PART_NAMES[part] ?? part;
  return withChoices(complaints)
    .slice(0, MAX_COMPLAINTS)
    .map((complaint) => describe(complaint, root));
}

/** What may be one of several is wrong once, and not once for each of them: one complaint tells all that it may be. */
function withChoices(complaints: AjvComplaint[]): AjvComplaint[] {
  const choices = new Map<string, unknown[]>();
  for (const { instancePath, keyword, params } of complaints)
    if (keyword === 'const') choices.set(instancePath, [...(choices.get(instancePath) ?? []), params.allowedValue]);
  const told = new Set<string>();
  return complaints.flatMap((complaint) => {
    const { instancePath, keyword } = complaint;
    const values = keyword === 'const' || keyword === 'anyOf' ? choices.get(instancePath) : undefined;
    if (!values) return [complaint];
    if (told.has(instancePath)) return [];
    told.add(instancePath);
    return [
      { ...complaint, message: values.length > 1 ? `must be one of: ${values.join(', ')}` : `must be ${values}` },
    ];
  });
}

function describe({ instancePath, keyword, params, message, parentSchema }: AjvComplaint, root: string): FieldError {
  const path = shown(`${root}${instancePath}`);
  if (keyword === 'required') return { path: `${path}/${params.missingProperty}`, message: 'is required' };
  if (keyword === 'additionalProperties') {
    if (!isStorable(params.additionalProperty)) return { path, message: NOT_STORABLE };
    return { path: shown(`${path}/${params.additionalProperty}`), message: 'is not a known property' };
  }
  if (keyword === 'type' && path === 'body') return { path, message: `must be a JSON ${params.type}` };
  const { minimum, maximum } = (parentSchema ?? {}) as { minimum?: number; maximum?: number };
  if (keyword === 'type' && params.type === 'integer' && minimum !== undefined && maximum !== undefined)
    return { path, message: `must be a whole number from ${minimum} to ${maximum}` };
  return { path, message: message ?? 'is not valid' };
}
