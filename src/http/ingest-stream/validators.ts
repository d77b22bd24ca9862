/** What checks the lines of a stream: made once, since each line is a body by itself. */
import type { FastifyRequest } from 'fastify';
import { CreateDocumentBody } from '../../contract/documents.ts';
import { IngestLine } from '../../contract/ingest-stream.ts';

export type Validate = ReturnType<FastifyRequest['compileValidationSchema']>;

/** Of a document, and of an entry of a register, which has no text. */
export interface Validators {
  document: Validate;
  entry: Validate;
}

export function makeValidators(compile: (schema: object) => Validate): Validators {
  return { document: compile(IngestLine), entry: compile(CreateDocumentBody) };
}
