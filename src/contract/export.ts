/** Exports: what a scope holds, as lines of JSON that can be read one by one, and posted elsewhere. */
import { Type } from '@sinclair/typebox';
import { DocumentClaim } from './claims.ts';
import { ScopeId } from './common.ts';
import { Contradiction } from './contradictions.ts';
import { DocumentId, DocumentRecord, DocumentText } from './documents.ts';
import { Fact } from './facts.ts';
import { Problem } from './problem.ts';

/** What an export may have, in the order in which it comes. Their places are what cursors tell: new ones come last. */
export const exportParts = ['documents', 'texts', 'claims', 'facts', 'contradictions'] as const;
export type ExportPart = (typeof exportParts)[number];

export const ExportQuery = Type.Object(
  {
    include: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: `Of ${exportParts.join(', ')}, separated by commas; all of them, when it is left out`,
        examples: ['documents,texts'],
      }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 400, description: 'Of a line of the kind cursor: goes on behind it' }),
    ),
  },
  { additionalProperties: false },
);

const kind = <Kind extends string>(name: Kind) => Type.Literal(name);
const Count = Type.Integer({ minimum: 0 });

export const ExportLine = Type.Union(
  [
    Type.Intersect([
      Type.Object({ kind: kind('document'), scope_id: ScopeId, text: Type.Optional(DocumentText.properties.text) }),
      DocumentRecord,
    ]),
    Type.Intersect([
      Type.Object({ kind: kind('claim'), document_id: DocumentId, version: Type.Integer({ minimum: 1 }) }),
      DocumentClaim,
    ]),
    Type.Intersect([Type.Object({ kind: kind('fact') }), Fact]),
    Type.Intersect([Type.Object({ kind: kind('contradiction') }), Contradiction]),
    Type.Object({ kind: kind('cursor'), cursor: Type.String() }),
    Type.Object({
      kind: kind('end'),
      counts: Type.Object({ documents: Count, claims: Count, facts: Count, contradictions: Count }),
      sha256: Type.String({ description: 'Of all bytes before this line, in hex' }),
      revision: Type.Object({ start: Count, end: Count }),
      changed: Type.Boolean({ description: 'Whether the scope is another one than at the start' }),
    }),
    Type.Object({ kind: kind('error'), error: Problem }),
  ],
  {
    title: 'ExportLine',
    description: 'One line. The last one is an end; an answer without it is not complete, and an error says why',
    contentMediaType: 'application/x-ndjson',
  },
);
