/** Convergence: how far the documents of a scope agree, and what keeps them from it. */
import { type Static, Type } from '@sinclair/typebox';
import { NextCursor, Nullable, PageQuery, ScopeId, TenantId, Timestamp } from './common.ts';

const share = (description?: string) =>
  Type.Number({
    title: 'Share',
    minimum: 0,
    maximum: 1,
    examples: [0.94],
    ...(description !== undefined && { description }),
  });
const count = (description: string) => Type.Integer({ minimum: 0, examples: [3], description });

const Dimension = Type.Object(
  {
    score: share(),
    weight: share('What it counts for in the score'),
    pressure: share('What it takes from the score: weight × (1 − score)'),
  },
  { title: 'ConvergenceDimension' },
);

export const ConvergencePoint = Type.Object(
  {
    at: Timestamp,
    score: share(),
    disagreement: share(),
    agreement: share(),
    coverage: share(),
    stability: share(),
    corroboration: share(),
  },
  { title: 'ConvergencePoint' },
);
/** How things stood at a time. */
export type Point = Omit<Static<typeof ConvergencePoint>, 'at'>;

const measured = {
  status: Type.Union(
    (['empty', 'converging', 'plateaued', 'diverging', 'converged'] as const).map((status) => Type.Literal(status)),
    { title: 'ConvergenceStatus', description: '`empty`: no claims yet', examples: ['converging'] },
  ),
  score: Nullable(share('The weighted mean of the dimensions')),
  disagreement: Nullable(share('Their weighted mean distance from 1, squared')),
  rate: Nullable(
    Type.Number({
      description: 'By how much disagreement falls with each point, as a logarithm; below 0 it grows',
      examples: [0.21],
    }),
  ),
  batches_to_go: Nullable(
    count('Until there is next to no disagreement, at this rate; null when that is not in sight'),
  ),
};

export const ScopeConvergence = Type.Object(
  {
    ...measured,
    measured_at: Nullable(Timestamp),
    dimensions: Nullable(
      Type.Object(
        { agreement: Dimension, coverage: Dimension, stability: Dimension, corroboration: Dimension },
        {
          title: 'ConvergenceDimensions',
          description: 'As of the last point, which is made after each batch and each decision',
        },
      ),
    ),
    groups: Type.Object(
      {
        total: count('Things that claims are made about'),
        shared: count('Those that two or more documents speak of'),
        disputed: count('Those with a contradiction that is open, or left out'),
      },
      { title: 'ConvergenceGroups' },
    ),
    blockers: Type.Array(
      Type.Object(
        {
          contradiction_id: Type.String({ examples: ['con_7k2m9qv0x4c8b1n5d3f6g7h8j9'] }),
          severity: Type.String({ examples: ['critical'] }),
          subject: Nullable(Type.String({ examples: ['lease'] })),
          reason: Nullable(Type.String({ examples: ['3 years and 5 years'] })),
        },
        { title: 'ConvergenceBlocker' },
      ),
      { description: 'Open contradictions, the critical and the oldest first, at most five' },
    ),
  },
  { title: 'ScopeConvergence' },
);

export const ConvergenceTrend = Type.Object(
  { ...measured, history: Type.Array(ConvergencePoint, { description: 'The last points, the oldest first' }) },
  { title: 'ConvergenceTrend' },
);

export const ConvergencePayload = Type.Object(
  {
    generated_at: Timestamp,
    scopes: Type.Array(
      Type.Composite([
        Type.Object({ tenant_id: TenantId, scope_id: ScopeId }),
        ScopeConvergence,
        Type.Object({ history: ConvergenceTrend.properties.history }),
      ]),
    ),
    next_cursor: NextCursor,
  },
  { title: 'ConvergencePayload' },
);

export const ConvergenceQuery = Type.Object(
  { ...PageQuery.properties, tenant_id: Type.Optional(TenantId), scope_id: Type.Optional(ScopeId) },
  { additionalProperties: false },
);
