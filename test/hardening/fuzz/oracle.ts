/** Tells what is wrong with an answer: the contract is the measure, and nothing else. */
import { isUtf8 } from 'node:buffer';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorTitles } from '../../../src/errors.ts';
import { isDecidedBySchema } from './change-body.ts';
import { isStream, type RawAnswer } from './client.ts';
import type { Json } from './operations.ts';
import type { FuzzRequest } from './request.ts';

/** Answers from before routing, which no operation lists. */
const OF_THE_TRANSPORT = new Set([405, 414, 431]);
/** Refusals of what the contract allows. */
const REFUSALS = new Set([400, 401, 403, 413, 415]);
/** What the Problem of a batch says beside what every Problem does. */
const OF_BATCHES = new Set(['results', 'accepted', 'rejected']);
/** Documents that come line by line, and are answered so. */
const LINES = 'application/x-ndjson';
/** Beyond, a body may be too large, whatever its schema says. */
const SMALL_BODY = 64 * 1024;
/** What any route takes. */
const FEW_VALUES = 64;
/** What an error must not tell: our files, our statements, our driver's words. */
const INNER = /\.ts:\d|node_modules|node:internal|\brelation "|syntax for type|violates |\$\d+\b.*\bwhere\b/i;

export class Oracle {
  readonly #ajv = new Ajv2020({ strict: false });

  constructor(document: Json) {
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'openapi');
  }

  /** What is wrong with the answer to a request that was made from an operation; null when nothing is. */
  judge(request: FuzzRequest, answer: RawAnswer): string | null {
    const general = this.judgeAny(answer, request.method === 'HEAD');
    if (general) return general;
    return this.#asDeclared(request, answer) ?? this.#asExpected(request, answer);
  }

  /** What has to hold for every answer, whatever was sent. */
  judgeAny(answer: RawAnswer, isHead = false): string | null {
    const { status, headers } = answer;
    if (!(status >= 200 && status < 600)) return `the status ${status}`;
    if (status >= 500) return `a ${status}: ${answer.body.toString().slice(0, 300)}`;
    if (!headers['x-request-id']) return `a ${status} without X-Request-Id`;
    if (headers['x-content-type-options'] !== 'nosniff') return `a ${status} without its safe headers`;
    if (headers['x-injected']) return 'a header that the request has put there';
    if (status === 401 && !headers['www-authenticate']) return 'a 401 without WWW-Authenticate';
    if (status === 405 && !headers.allow) return 'a 405 without Allow';
    if (status === 429 && !headers['retry-after']) return 'a 429 without Retry-After';
    if (status === 429 && !headers.ratelimit) return 'a 429 without RateLimit';
    if (status < 400 || isHead) return null;
    return this.#asProblem(answer);
  }

  #asProblem({ status, headers, body }: RawAnswer): string | null {
    if (headers['content-type'] !== 'application/json; charset=utf-8') return `a ${status} of another content type`;
    const problem = parse(body);
    if (!this.#ajv.validate('openapi#/components/schemas/Problem', problem))
      return `a ${status} that is no Problem: ${this.#ajv.errorsText()}`;
    const { type, title, status: said, detail, code, request_id, errors, ...rest } = problem;
    const more = Object.keys(rest).filter((name) => code !== 'batch_rejected' || !OF_BATCHES.has(name));
    if (more.length > 0) return `a Problem with ${more}`;
    if (said !== status) return `a ${status} that says it is ${said}`;
    if (!Object.hasOwn(errorTitles, code)) return `a Problem with the unknown code ${code}`;
    if (type !== `urn:docket:error:${code}`) return `a Problem of the type ${type}`;
    if (title === '' || detail === '') return 'a Problem that says nothing';
    if (request_id !== headers['x-request-id']) return 'a Problem with another request_id than its header';
    if (code === 'validation_failed' && !errors?.length) return 'a refusal that names no field';
    if (INNER.test(detail)) return `a Problem that tells of the inside: ${detail}`;
    return null;
  }

  #asDeclared({ operation, isRouted, method }: FuzzRequest, answer: RawAnswer): string | null {
    const { status, headers, body } = answer;
    if (OF_THE_TRANSPORT.has(status) || !isRouted) return null;
    if (!(status in operation.answers)) return `${status}, which the contract does not declare`;
    const declared = operation.answers[status];
    if (!declared) return body.length === 0 ? null : `a ${status} with a body`;
    if (!headers['content-type']?.startsWith(declared.media)) return `${headers['content-type']} for ${declared.media}`;
    const validate = this.#ajv.getSchema(declared.pointer);
    if (status === 200 && operation.body?.media === LINES) return this.#asLines(body, validate);
    if (declared.media !== 'application/json' || method === 'HEAD' || isStream(answer)) return null;
    const parsed = parse(body);
    if (!validate?.(parsed)) return `a ${status} that breaks its schema: ${this.#ajv.errorsText(validate?.errors)}`;
    // A batch answers for each of its documents.
    const failed = parsed.results?.find?.((result: Json) => result.status >= 500);
    return failed ? `a ${failed.status} within a ${status}: ${JSON.stringify(failed)}` : null;
  }

  /** Of a stream, each line by itself; the last one says how it ended. */
  #asLines(body: Buffer, validate: ValidateFunction | undefined): string | null {
    const lines = body.toString().trimEnd().split('\n');
    for (const text of lines) {
      const line: Json = parse(Buffer.from(text));
      const isFitting: boolean = validate?.(line) === true;
      if (!isFitting) return `a line that breaks its schema: ${this.#ajv.errorsText(validate?.errors)}`;
      if (line.status >= 500 || line.error?.status >= 500) return `a line of ${text.slice(0, 300)}`;
    }
    return lines.at(-1)?.includes('"done":') ? null : `a stream that ends with ${lines.at(-1)}`;
  }

  /** What the contract allows is not refused, and what it forbids is. */
  #asExpected(request: FuzzRequest, { status, body: answered }: RawAnswer): string | null {
    const { changes, isRouted, body, operation } = request;
    // What is right of a batch is for its documents to say.
    if (!isRouted || parse(answered)?.code === 'batch_rejected') return null;
    const isLarge = (body?.length ?? 0) > SMALL_BODY;
    if (changes.length === 0)
      return REFUSALS.has(status) && !isLarge ? `a ${status} to what fits the contract: ${answered}` : null;
    // What is right of a line is for its answer to say.
    if (request.isChangedOutside || !operation.body || operation.body.media === LINES || !body?.length) return null;
    const parsed = isUtf8(body) ? parse(body) : undefined;
    const isFitting = parsed !== undefined && this.#ajv.getSchema(operation.body.pointer)?.(parsed) === true;
    if (!isFitting) return status < 400 ? `a ${status} to what does not fit the contract` : null;
    // Escapes may hide what cannot be stored; and some ask for a tenant when a scope is named.
    const isDecided = isDecidedBySchema(parsed) && !/\/runtime\/|\/retry$/.test(operation.template);
    // A value that a later one of the same name replaces is in no parsed body, but it was counted.
    const hasFewValues = (body.toString().match(/[{[,]/g)?.length ?? 0) <= FEW_VALUES;
    // With a key in its head, another one in the body is refused.
    const isKeyed = request.headers.some(([name]) => name === 'idempotency-key');
    const isPlain = !isLarge && !isKeyed && isDecided && hasFewValues && !body.includes('\\u');
    return isPlain && status === 400 ? `a ${status} to a body that fits the contract: ${answered}` : null;
  }
}

function parse(body: Buffer): Json {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
