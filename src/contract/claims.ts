/** Claims: what a document says, one by one, and where it says so. */
import { type Static, Type } from '@sinclair/typebox';
import { NextCursor, Nullable, PageQuery, ScopeId, TextSpan } from './common.ts';

const kinds = ['number', 'money', 'date', 'time', 'boolean', 'text'] as const;

/** What is not there does not apply: an exact figure has `number`, any other has the ends that bound it. */
export const ClaimValue = Type.Object(
  {
    type: Type.Union(
      kinds.map((kind) => Type.Literal(kind)),
      { description: 'What it is, and which of the other parts it has', examples: ['money'] },
    ),
    text: Type.String({
      maxLength: 80,
      description: 'As the document has it; yes or no for a statement as a whole',
      examples: ['$3 million'],
    }),
    number: Type.Optional(
      Type.Number({
        description: 'Of a number or an amount of money that is exact, in its unit or currency',
        examples: [3_000_000],
      }),
    ),
    low: Type.Optional(
      Type.Number({ description: 'In place of number: at least so much, or more', examples: [2_500_000] }),
    ),
    high: Type.Optional(
      Type.Number({ description: 'In place of number: at most so much, or less', examples: [3_500_000] }),
    ),
    unit: Type.Optional(
      Type.String({
        description:
          'Of a number: %, or the base unit that it was converted to, so that 2.4 km and 2,400 m are alike: m, kg, l, m2, s, ' +
          'B, W, m/s, °C and others. Rates are per base unit: 1/s',
        examples: ['m'],
      }),
    ),
    currency: Type.Optional(Type.String({ description: 'Of money, as in ISO 4217', examples: ['USD'] })),
    date: Type.Optional(
      Type.String({
        description:
          'As in ISO 8601: a day, a month (2021-06), a year (2021), a day of every year (--06-12), or a period of these ' +
          '(1998/2004), whose end is .. where it has none',
        examples: ['2026-03-12'],
      }),
    ),
    time: Type.Optional(Type.String({ description: 'Of day, or a period (09:00/17:00)', examples: ['09:00'] })),
    boolean: Type.Optional(
      Type.Boolean({ description: 'Of a statement as a whole it says whether it is so, as polarity does' }),
    ),
    approximate: Type.Optional(Type.Boolean({ description: 'It is only about so much' })),
  },
  { title: 'ClaimValue' },
);
export type ClaimValue = Static<typeof ClaimValue>;

const Qualifier = (description: string, example: string) =>
  Nullable(Type.String({ maxLength: 200, description, examples: [example] }));

export const ClaimQualifiers = Type.Object(
  {
    time: Qualifier('When it holds: a date as in value, or words', '2026-03-12'),
    place: Qualifier('Where it holds', 'aarhus'),
    condition: Qualifier('Under which condition it holds', 'unless terminat'),
    subset: Qualifier('Which figure of several it is, or of which part', 'average'),
  },
  {
    title: 'ClaimQualifiers',
    description: 'What it is limited to, in the stems of words that it is compared by; null where nothing is said',
  },
);
export type ClaimQualifiers = Static<typeof ClaimQualifiers>;

export const FactId = Type.String({
  pattern: '^fact_[0-9a-hjkmnp-tv-z]{11}$',
  description:
    'What claims have in common that say something of the same thing, whatever they say; the same in all scopes',
  examples: ['fact_0k2m9qv0x4c'],
});

const modalities = ['fact', 'plan', 'hypothesis', 'question', 'reported', 'rule'] as const;

/** What is read from the claim itself; its ids are made of more. */
export const claimFields = {
  subject: Nullable(
    Type.String({ maxLength: 80, description: 'Null where the text does not name it', examples: ['Acme Ltd'] }),
  ),
  attribute: Type.String({ maxLength: 80, description: 'What is said of it', examples: ['revenue'] }),
  value: ClaimValue,
  polarity: Type.Union([Type.Literal('affirmed'), Type.Literal('denied')], {
    description: 'Whether the document says that it is so, or that it is not',
    examples: ['affirmed'],
  }),
  modality: Type.Union(
    modalities.map((modality) => Type.Literal(modality)),
    { description: 'How it is said; only facts are held against facts', examples: ['fact'] },
  ),
  qualifiers: ClaimQualifiers,
  sentence: Type.String({
    maxLength: 500,
    description: 'In which the document says it; a longer one is shortened',
    examples: ['Acme Ltd had revenue of $3 million.'],
  }),
  span: Nullable(TextSpan),
};
const ShownClaim = Type.Object(claimFields);
export type ShownClaim = Static<typeof ShownClaim>;

export const DocumentClaim = Type.Object(
  {
    claim_id: Type.String({
      description: 'The same for as long as the document says the same at the same place, and the rules read it so',
      examples: ['clm_1f7q0a2k9xm3bd6w8r5tzy'],
    }),
    ...claimFields,
    fact_id: Nullable({
      ...FactId,
      description: `${FactId.description}; null while a document waits to be read again by newer rules`,
    }),
    contradictions: Type.Array(Type.String({ examples: ['con_7k2m9qv0x4c8b1n5d3f6g7h8j9'] }), {
      maxItems: 40,
      description: 'Ids of the open contradictions that it is a side of; all claims of a document have at most 40',
    }),
  },
  { title: 'Claim' },
);

export const ClaimList = Type.Object(
  {
    document_id: Type.String({ examples: ['lease-12'] }),
    version: Type.Integer({
      minimum: 1,
      description: 'That makes these claims: the newest that is processed',
      examples: [1],
    }),
    claims: Type.Array(DocumentClaim, { description: 'In order of the text' }),
    next_cursor: NextCursor,
  },
  { title: 'ClaimList' },
);
export const ClaimQuery = Type.Object({ scope_id: ScopeId, ...PageQuery.properties }, { additionalProperties: false });
