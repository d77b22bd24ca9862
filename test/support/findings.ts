/** What an export says was found, without what is of one scope, one moment or one order: two of the same documents are alike. */

export interface Line {
  kind: string;
  [field: string]: unknown;
}

export const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

export function findingsOf(text: string) {
  const lines = linesOf(text);
  const of = (kind: string, tell: (line: Line) => unknown) =>
    lines
      .filter((line) => line.kind === kind)
      .map((line) => JSON.stringify(tell(line)))
      .sort();
  const pick =
    (...fields: string[]) =>
    (line: Line) =>
      fields.map((field) => line[field]);
  return {
    documents: of('document', pick('document_id', 'name', 'type', 'source', 'provenance', 'text', 'state', 'claims')),
    claims: of(
      'claim',
      pick('document_id', 'subject', 'attribute', 'value', 'polarity', 'sentence', 'span', 'fact_id'),
    ),
    facts: of('fact', pick('fact_id', 'state', 'documents')),
    // Which side is a and which is b depends on which document came first.
    contradictions: of('contradiction', ({ document_ids, claim_a, claim_b, ...line }) => [
      (document_ids as string[]).toSorted(),
      [claim_a, claim_b].sort(),
      pick('subject', 'attribute', 'severity', 'status')(line as Line),
    ]),
  };
}
