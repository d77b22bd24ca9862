/** POST /api/ingest/stream: what a line says, and what is answered to it. */
import { Type } from '@sinclair/typebox';
import { ScopeId } from './common.ts';
import { AttachDocumentBody, IngestDocumentRequest, IngestDocumentResponse, StoredDocument } from './documents.ts';
import { Problem } from './problem.ts';

export const IngestStreamQuery = Type.Object(
  {
    scope_id: Type.Optional({
      ...ScopeId,
      description: 'The scope of every line that names none, and of all of an export',
    }),
    answers: Type.Union([Type.Literal('all'), Type.Literal('errors')], {
      default: 'all',
      description: 'With `errors`, only errors are answered, and `through` after each thousandth line',
    }),
  },
  { additionalProperties: false },
);

export const ContentEncodingHeader = {
  'Content-Encoding': Type.Optional(
    Type.Union([Type.Literal('gzip'), Type.Literal('identity')], { description: 'Limits count the bytes as unpacked' }),
  ),
};

const { scope_id, ...fields } = IngestDocumentRequest.properties;

export const IngestLine = Type.Object(
  { scope_id: Type.Optional(scope_id), ...fields, provenance: AttachDocumentBody.properties.provenance },
  {
    title: 'IngestLine',
    additionalProperties: false,
    description: 'One line of the body; `scope_id` may be left out where the address names one',
  },
);

const Count = (example: number) => Type.Integer({ minimum: 0, examples: [example] });

export const IngestLineAnswer = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Which one, counted from 1', examples: [1] }),
    status: Type.Integer({
      description: 'What POST /api/ingest would have answered; 204 when skipped',
      examples: [202],
    }),
    document: Type.Optional(Type.Union([IngestDocumentResponse, StoredDocument])),
    replayed: Type.Optional(Type.Boolean({ description: 'The idempotency key was used before', examples: [true] })),
    error: Type.Optional(Problem),
    skipped: Type.Optional(Type.String({ description: 'Of which kind it is, if of no document', examples: ['claim'] })),
  },
  { title: 'IngestLineAnswer' },
);

export const IngestStreamThrough = Type.Object(
  {
    through: Type.Integer({ minimum: 0, description: 'Every line up to this one is decided', examples: [1000] }),
    accepted: Type.Optional(Count(998)),
    rejected: Type.Optional(Count(2)),
    skipped: Type.Optional(Count(0)),
    done: Type.Optional(Type.Boolean({ description: 'In the last line: false if it ended early', examples: [true] })),
    error: Type.Optional(Problem),
  },
  { title: 'IngestStreamThrough' },
);

export const IngestStreamAnswers = Type.Union([IngestLineAnswer, IngestStreamThrough], {
  title: 'IngestStreamAnswers',
  contentMediaType: 'application/x-ndjson',
  description: 'One line for each line, in order; the last one has `done`',
});
