/** What a line asks for: a document to be stored, or nothing, when it is another part of an export. */
import type { Static } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { CreateDocumentBody } from '../../contract/documents.ts';
import { IngestLine } from '../../contract/ingest-stream.ts';
import type { Submission } from '../../domain/accept/submission.ts';
import { requireReachToPost } from '../../domain/access.ts';
import { AppError, invalid } from '../../errors.ts';
import { accessOf } from '../access.ts';
import { DOCUMENT_BODY_LIMIT, toSubmission } from '../document-answers.ts';
import { parseLine } from '../json-body.ts';
import { findUnstorable, unstorable } from '../storable.ts';
import type { Validators } from './validators.ts';

/** As long as the body of one document may be. */
export const LONGEST_LINE = DOCUMENT_BODY_LIMIT;
/** No kind of an export is called by more. */
const KIND_LENGTH = 50;
/** What is taken of a document of an export; what else was known of it there is not. */
const TAKEN = [...Object.keys(IngestLine.properties)] as (keyof typeof IngestLine.properties)[];

/** Either has all members of the other, or leaves them out. */
type Fields = Static<typeof IngestLine> | Static<typeof CreateDocumentBody>;

export type Item = { submission: Submission } | { skipped: string };

/** For all lines of one request: what they have in common is looked up once. */
export class ItemReader {
  readonly #request: FastifyRequest;
  /** The scope that the address names. */
  readonly #scopeId: string | undefined;
  readonly #validators: Validators;

  constructor(request: FastifyRequest, scopeId: string | undefined, validators: Validators) {
    this.#request = request;
    this.#scopeId = scopeId;
    this.#validators = validators;
  }

  /** Throws what is wrong with it. */
  read(bytes: Buffer | null): Item {
    if (!bytes) throw tooLong();
    const { value, hasEscapes } = parseLine(bytes);
    const kind = kindOf(value);
    if (kind !== null && kind !== 'document') return { skipped: kind };
    const fields = kind === null ? this.#withScope(value) : this.#fromExport(value as Record<string, unknown>);
    const isEntry = kind !== null && (fields as { text?: unknown }).text === undefined;
    const body = this.#checked(fields, isEntry ? 'entry' : 'document', hasEscapes);
    const { scope_id: scopeId } = body;
    if (scopeId === undefined) throw invalid('body/scope_id', 'is required, unless the address names a scope');
    requireReachToPost(accessOf(this.#request), scopeId);
    return { submission: toSubmission(isEntry ? 'documents' : 'ingest', this.#request, scopeId, body) };
  }

  #withScope(value: unknown): unknown {
    const scopeId = this.#scopeId;
    if (scopeId === undefined || typeof value !== 'object' || value === null) return value;
    const named = (value as { scope_id?: unknown }).scope_id;
    if (named !== undefined && named !== scopeId)
      throw invalid('body/scope_id', `must be ${scopeId}, which the address names, or be left out`);
    return Object.assign(value, { scope_id: scopeId });
  }

  #fromExport(value: Record<string, unknown>): object {
    // A null there is a member that may be left out here. The text of an entry of a register is null, too: it has none.
    if (value.text === undefined)
      throw invalid(
        'body/text',
        'is required: export with include=documents,texts, or documents cannot be taken in again',
      );
    const known = TAKEN.flatMap((name) => (value[name] == null ? [] : [[name, value[name]]]));
    return { ...Object.fromEntries(known), ...(this.#scopeId !== undefined && { scope_id: this.#scopeId }) };
  }

  #checked(fields: unknown, what: keyof Validators, hasEscapes: boolean): Fields {
    const validate = this.#validators[what];
    if (!validate(fields)) throw Object.assign(new Error(), { validation: validate.errors, validationContext: 'body' });
    const path = hasEscapes ? findUnstorable(fields) : null;
    if (path) throw unstorable(path);
    return fields as Fields;
  }
}

/** Null for a line that is no part of an export: what else calls itself a kind is refused as a member that nobody knows. */
function kindOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'kind')) return null;
  const { kind } = value as { kind: unknown };
  return typeof kind === 'string' && kind.length <= KIND_LENGTH ? kind : null;
}

const tooLong = () =>
  new AppError('payload_too_large', `The line is longer than ${LONGEST_LINE / 1024 / 1024} MB; send less in one.`);
