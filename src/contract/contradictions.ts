/** Contradictions: where two claims of a scope cannot both be true. */
import { type Static, Type } from '@sinclair/typebox';
import { NextCursor, Nullable, PageQuery, ScopeId, TextSpan, Timestamp } from './common.ts';

const ClaimA = Type.String({ minLength: 1, maxLength: 2000, examples: ['The lease runs for three years.'] });
const ClaimB = Type.String({ minLength: 1, maxLength: 2000, examples: ['The lease runs for five years.'] });
const Source = Type.String({ minLength: 1, maxLength: 500, examples: ['lease-12'] });
/** The least severe first. */
export const severities = ['low', 'medium', 'critical'] as const;
export const Severity = Type.Union(
  severities.map((severity) => Type.Literal(severity)),
  { title: 'Severity', examples: ['medium'] },
);
export type Severity = Static<typeof Severity>;

export const contradictionStatuses = ['open', 'resolved', 'deferred'] as const;
export const ContradictionStatus = Type.Union(
  contradictionStatuses.map((status) => Type.Literal(status)),
  { title: 'ContradictionStatus', examples: ['open'] },
);
export type ContradictionStatus = Static<typeof ContradictionStatus>;

const DocumentIds = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 100,
  examples: [['lease-12', 'lease-13']],
});

export const CreateContradictionBody = Type.Object(
  {
    scope_id: ScopeId,
    claim_a: ClaimA,
    claim_b: ClaimB,
    source_a: Type.Optional(Source),
    source_b: Type.Optional(Source),
    severity: { ...Severity, default: 'medium' as const },
    document_ids: Type.Optional(DocumentIds),
  },
  { title: 'CreateContradictionBody', additionalProperties: false },
);

const Evidence = Type.Object(
  {
    document_id: Type.String({ examples: ['lease-12'] }),
    seq: Type.Integer({ minimum: 0, description: 'Of the version that says it', examples: [0] }),
    sentence: Type.String({ examples: ['The lease runs for three years.'] }),
    span: TextSpan,
  },
  { title: 'Evidence' },
);
const Side = Type.Union([Type.Literal('a'), Type.Literal('b')], { examples: ['b'] });

export const Contradiction = Type.Object(
  {
    id: Type.String({ examples: ['con_7k2m9qv0x4c8b1n5d3f6g7h8j9'] }),
    scope_id: ScopeId,
    claim_a: ClaimA,
    claim_b: ClaimB,
    source_a: Nullable(Source),
    source_b: Nullable(Source),
    document_ids: DocumentIds,
    evidence_a: Nullable(Evidence),
    evidence_b: Nullable(Evidence),
    subject: Nullable(Type.String({ examples: ['lease'] })),
    attribute: Nullable(Type.String({ examples: ['run'] })),
    severity: Severity,
    status: ContradictionStatus,
    origin: Type.Union([Type.Literal('detected'), Type.Literal('reported')], { examples: ['reported'] }),
    reason: Nullable(
      Type.String({ description: 'Why the claims cannot both be true', examples: ['3 years and 5 years'] }),
    ),
    resolution: Nullable(
      Type.String({ description: 'Why it was resolved or deferred', examples: ['The later lease holds.'] }),
    ),
    upholds: Nullable(Side),
    outdated: Type.Boolean({
      description: 'It was decided, and newer rules find it no more: it is kept for the sake of the decision',
    }),
    resolved_by: Nullable(Type.String({ examples: ['m.larsen'] })),
    resolved_at: Nullable(Timestamp),
    created_at: Timestamp,
  },
  { title: 'Contradiction' },
);

/** Of a scope, or of a document. */
export const LeftOut = Type.Integer({
  minimum: 0,
  description: 'At least so many more are not shown, since others of their documents and facts come first',
  examples: [0],
});

export const ContradictionList = Type.Object(
  {
    contradictions: Type.Array(Contradiction, {
      description:
        'With several filters there may be few on a page, or none: the last page is the one whose next_cursor is null',
    }),
    next_cursor: NextCursor,
    left_out: LeftOut,
  },
  { title: 'ContradictionList' },
);

const ContradictionOrder = Type.Union([Type.Literal('oldest'), Type.Literal('newest')], { default: 'oldest' });
export type ContradictionOrder = Static<typeof ContradictionOrder>;

const filters = {
  ...PageQuery.properties,
  status: Type.Optional(ContradictionStatus),
  severity: Type.Optional(Severity),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Exactly as a contradiction has it',
      examples: ['lease'],
    }),
  ),
  document_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A document that is a side of it, or that a report names',
      examples: ['lease-12'],
    }),
  ),
  order: { ...ContradictionOrder, description: 'Which of them come first' },
};
export const ContradictionQuery = Type.Object({ scope_id: ScopeId, ...filters }, { additionalProperties: false });
export const ScopeContradictionQuery = Type.Object(filters, { additionalProperties: false });

export const OwnContradictionPath = Type.Object({
  contradictionId: Type.String({ minLength: 1, maxLength: 100, examples: ['con_7k2m9qv0x4c8b1n5d3f6g7h8j9'] }),
});
export const ContradictionPath = Type.Object({ scopeId: ScopeId, ...OwnContradictionPath.properties });

export const DecideContradictionRequest = Type.Object(
  {
    status: Type.Union([Type.Literal('resolved'), Type.Literal('deferred')], { examples: ['resolved'] }),
    resolution: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'Why',
      examples: ['The later lease holds.'],
    }),
    resolved_by: Type.String({ minLength: 1, maxLength: 200, description: 'Who', examples: ['m.larsen'] }),
    upholds: Type.Optional({
      ...Side,
      description:
        'The claim that holds. A later document that contradicts it reopens the contradiction; without it, one that contradicts either claim does',
    }),
  },
  { title: 'DecideContradictionRequest', additionalProperties: false },
);
