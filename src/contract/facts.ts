/** Facts: what the documents of a scope say of one thing, by how many, and where they disagree. */
import { type Static, Type } from '@sinclair/typebox';
import { ClaimQualifiers, claimFields, FactId } from './claims.ts';
import { NextCursor, Nullable, PageQuery, ScopeId, Timestamp } from './common.ts';

const states = ['agreed', 'disputed', 'varied'] as const;

export const FactState = Type.Union(
  states.map((state) => Type.Literal(state)),
  {
    description:
      'disputed: a contradiction stands, shown or left out, and not all that are shown were decided; agreed: all documents ' +
      'give one value; varied: they give several, and no open contradiction between them is known',
    examples: ['agreed'],
  },
);
export type FactState = Static<typeof FactState>;

const orders = ['documents', 'fact_id'] as const;

export const FactQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Words of the subject and the attribute, all of which have to be there, in any order and form: employee finds employees; ' +
          'case and accents do not matter. Only facts of two or more documents are found by words',
        examples: ['acme employees'],
      }),
    ),
    state: Type.Optional(FactState),
    min_documents: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      default: 2,
      description: 'Only what so many documents speak of',
    }),
    order: Type.Union(
      orders.map((order) => Type.Literal(order)),
      {
        default: 'documents',
        description:
          'documents: what most documents speak of comes first. fact_id: in order of the ids, which shows everything that is ' +
          'there all the while, even if the scope changes between two pages',
      },
    ),
    ...PageQuery.properties,
  },
  { additionalProperties: false },
);
export type FactQuery = Static<typeof FactQuery>;

export const FactPath = Type.Object({ scopeId: ScopeId, fact_id: FactId });

const { value, polarity, sentence, span } = claimFields;
const DocumentId = Type.String({ examples: ['contract-17'] });

const FactValue = Type.Object(
  {
    value,
    polarity,
    documents: Type.Integer({ minimum: 1, description: 'How many give it', examples: [3] }),
    example: Type.Object(
      { document_id: DocumentId, sentence, span },
      { description: 'The first of the documents that give it' },
    ),
  },
  { title: 'FactValue' },
);

const fields = {
  fact_id: FactId,
  subject: claimFields.subject,
  attribute: claimFields.attribute,
  qualifiers: ClaimQualifiers,
  state: FactState,
  documents: Type.Integer({ minimum: 1, description: 'How many speak of it', examples: [4] }),
  values: Type.Array(FactValue, {
    description: 'The first ten, those of most documents first. A document may give several',
  }),
  more_values: Type.Boolean({
    description: 'Whether there are more than these; the evidence has all',
    examples: [false],
  }),
  leading: value,
  contradictions: Type.Array(Type.String({ examples: ['con_5r2m9qv0x4c8b1n5d3f6g7h8'] }), {
    description: 'The ids of those that are open and shown',
  }),
  changed_at: Nullable(Timestamp),
};

export const Fact = Type.Object(fields, { title: 'Fact' });
export type Fact = Static<typeof Fact>;

export const FactList = Type.Object({ facts: Type.Array(Fact), next_cursor: NextCursor }, { title: 'FactList' });

const FactEvidence = Type.Object(
  { document_id: DocumentId, value, polarity, modality: claimFields.modality, sentence, span },
  { title: 'FactEvidence', description: 'What one document says of it; once for each value that it gives' },
);
export type FactEvidence = Static<typeof FactEvidence>;

export const FactWithEvidence = Type.Object(
  {
    ...fields,
    evidence: Type.Array(FactEvidence, { description: 'By value, and then in the order in which the documents came' }),
    next_cursor: NextCursor,
  },
  { title: 'FactWithEvidence' },
);
