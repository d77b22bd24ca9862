/** Bring your own extractor: what Docket posts to EXTRACTOR_URL, and what it takes for an answer. */
import { type Static, Type } from '@sinclair/typebox';
import { ScopeId } from './common.ts';

export const MAX_EXTRACTOR_CLAIMS = 1000;
export const MAX_EXTRACTOR_SENTENCE = 2000;

/** No tenant: an extractor has no need to know for whom it reads. */
export const ExtractorRequest = Type.Object(
  {
    integration_version: Type.Literal('v1', { description: 'Of this contract' }),
    document: Type.Object(
      {
        document_id: Type.String({ minLength: 1, maxLength: 200, examples: ['lease-12'] }),
        version: Type.Integer({ minimum: 1, examples: [1] }),
        scope_id: ScopeId,
        name: Type.String({ minLength: 1, maxLength: 500, examples: ['Lease of 12 March'] }),
        type: Type.String({ maxLength: 50, description: 'As it was posted', examples: ['txt'] }),
        text: Type.String({
          minLength: 1,
          maxLength: 100_000,
          description: 'As it was posted; spans count in it',
          examples: ['The lease runs for three years from 12 March 2026.'],
        }),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'ExtractorRequest', additionalProperties: false },
);

/** What two claims are compared by, so that blanks alone are no name for it. */
const Term = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description, examples: [example] });
const Qualifier = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 200, description, examples: [example] }));
const Offset = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });

export const ExtractorClaim = Type.Object(
  {
    subject: Term('What the claim is about', 'the lease'),
    attribute: Term('What it says of that', 'runs for'),
    value: Type.Union([Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }), Type.Number(), Type.Boolean()], {
      description: 'What that is; a text of 1 to 500 characters, a number or a boolean',
      examples: [3],
    }),
    unit: Type.Optional(Type.String({ maxLength: 50, description: 'Of the value', examples: ['years'] })),
    polarity: Type.Union([Type.Literal('affirmed'), Type.Literal('denied')], {
      default: 'affirmed',
      description: 'Whether the document says that it is so, or that it is not',
    }),
    modality: Type.Union(
      (['fact', 'plan', 'hypothesis', 'question', 'reported'] as const).map((modality) => Type.Literal(modality)),
      { default: 'fact', description: 'How it is said; only facts are held against facts' },
    ),
    qualifiers: Type.Object(
      {
        time: Qualifier('When it holds', 'from 12 March 2026'),
        place: Qualifier('Where it holds', 'in Aarhus'),
        condition: Qualifier('Under which condition it holds', 'unless terminated'),
        subset: Qualifier('Of which part of the subject it holds', 'the ground floor'),
      },
      { additionalProperties: false, default: {}, description: 'Claims with different ones do not contradict' },
    ),
    sentence: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_EXTRACTOR_SENTENCE,
        pattern: '\\S',
        description: 'Where the document says so; left out, it is cut from the span',
        examples: ['The lease runs for three years from 12 March 2026.'],
      }),
    ),
    span: Type.Optional(
      Type.Object(
        {
          start: Offset('The first character', 0),
          end: Offset('After the last character; at most the length of the text', 50),
        },
        {
          additionalProperties: false,
          description: 'Where the sentence is in the text that was sent, in UTF-16 units, as JavaScript and Java count',
        },
      ),
    ),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1, examples: [0.9] })),
  },
  {
    title: 'ExtractorClaim',
    additionalProperties: false,
    description: 'With a sentence, a span or both: a claim that shows neither is refused',
  },
);

export const ExtractorResponse = Type.Object(
  {
    claims: Type.Array(ExtractorClaim, { maxItems: MAX_EXTRACTOR_CLAIMS }),
    warnings: Type.Array(Type.String({ maxLength: 300, examples: ['page 3 was not legible'] }), {
      maxItems: 20,
      default: [],
      description: 'What to tell those who look at the document',
    }),
  },
  { title: 'ExtractorResponse', additionalProperties: false },
);

export type ExtractorDocument = Static<typeof ExtractorRequest>['document'];
