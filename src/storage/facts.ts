/** What is said in groups of claims, as it is read: counted from what is filed and what is not, as if all of it were filed. */
import type { Queryable } from './database.ts';
import type { Place } from './readings.ts';

/** A value, how many documents give it, and the first of them. */
export interface SaidValue {
  value_key: number;
  documents: number;
  seq: number;
}

export interface SaidGroup {
  group_key: number;
  documents: number;
  disputes: number;
  /** When a document last came to it or left it, or its disputes changed; null where only one ever spoke of it. */
  said_at: string | null;
  /** Those of most documents first. */
  values: SaidValue[];
  /** Open ones. */
  contradictions: string[];
}

/** A piece of a reading that says something in a group, and at which place. */
export type SaidPiece = [group_key: number, value_key: number, place: number, piece: string];

/** A reading that is shown as an example, as the pipeline wrote it; without either where other rules made it. */
export interface SaidBy {
  document_id: string;
  finished_at: string | null;
  /** All its claims, where it is not in pieces. */
  claims: string | null;
  pieces: SaidPiece[] | null;
  /** It would have been too much at once. */
  left_out: boolean;
}

export interface SaidGroups {
  /** Those of the groups that there are, in order. */
  groups: SaidGroup[];
  /** By seq. */
  readings: Map<number, SaidBy>;
}

type GroupRow = [
  nth: number,
  documents: number,
  disputes: number,
  said_at: string | null,
  values: [value_key: number, documents: number, seq: number][],
  contradictions: string[] | null,
  group_key: number,
];

interface Reading extends SaidBy {
  seq: number;
}

/** All in one statement, so that what it finds fits together. The readings, or their pieces, come as far as they fit into so many bytes, but the first do. */
export async function listSaidGroups(
  db: Queryable,
  { scope_key, generation }: Place,
  keys: number[],
  { values, rules, bytes }: { values: number; rules: number; bytes: number },
): Promise<SaidGroups> {
  const { rows } = await db.query<{ groups: GroupRow[]; readings: Reading[] | null }>(
    `with said as materialized (select list_facts($1, $2, $3, $4) as groups)
     select groups, list_examples($1, $2, groups, $5, $6) as readings from said`,
    [scope_key, generation, keys, values, rules, bytes],
  );
  const [row] = rows;
  return {
    groups: (row?.groups ?? []).map(([, documents, disputes, said_at, said, contradictions, group_key]) => ({
      group_key,
      documents,
      disputes,
      said_at,
      values: said.map(([value_key, its, seq]) => ({ value_key, documents: its, seq })),
      contradictions: contradictions ?? [],
    })),
    readings: new Map((row?.readings ?? []).map(({ seq, ...reading }) => [seq, reading])),
  };
}

export interface Evidence {
  document_id: string;
  /** All its claims, or the piece of them that says so; null where other rules made it. */
  claims: string | null;
  /** In the piece, if it is one. */
  place: number | null;
  value_key: number;
  seq: number;
  goes_on: boolean;
}

/** Which documents say what in a group, by value and seq, from after one on; as many as fit into so many bytes, and one in any case. */
export async function listEvidence(
  db: Queryable,
  { scope_key, generation }: Place,
  group: number,
  after: { value: number; seq: number },
  { limit, rules, bytes }: { limit: number; rules: number; bytes: number },
): Promise<Evidence[]> {
  const { rows } = await db.query<{ evidence: Evidence[] }>(
    'select list_evidence($1, $2, $3, $4, $5, $6, $7, $8) as evidence',
    [scope_key, generation, group, after.value, after.seq, limit, rules, bytes],
  );
  return rows[0]?.evidence ?? [];
}
