/** What one document claims, for who reads it: its reading, and the contradictions that its claims are sides of. */
import type { Queryable } from './database.ts';
import { firstPurged } from './document-purges.ts';
import type { ScopeHandle } from './scopes.ts';

export interface DocumentReading {
  version: number;
  seq: number;
  document_hash: number;
  /** As the pipeline wrote it. */
  claims: string;
  /** The version of the rules that made it. */
  rules: number;
  /** It is another one when the same version is read again. */
  revision: number;
}

/** Of the version that is processed, though any number of newer ones may wait. */
export async function findReading(
  db: Queryable,
  { scope_key, generation }: ScopeHandle,
  documentId: string,
): Promise<DocumentReading | null> {
  const { rows } = await db.query<DocumentReading>(
    `select version, seq::float8 as seq, document_hash::float8 as document_hash, r.claims, rules, revision::float8 as revision
       from (select scope_key, generation, seq, version from documents
              where scope_key = $1 and generation = $2 and document_id = $3
                and version = (select processed_version($1, $2, $3, ${firstPurged('$1', '$2', '$3')})) limit 1) d
       join readings r using (scope_key, generation, seq)`,
    [scope_key, generation, documentId],
  );
  return rows[0] ?? null;
}

/** An open contradiction, and the claim of this version that is a side of it. */
export interface ClaimContradiction {
  id: string;
  start: number;
  end: number;
  group: number;
  value: number;
}

/** Of a version that is given by parameters or columns. `most`: those that are open are among the first so many, of which the index finds each side's. */
export function contradictionsOfClaims(scopeKey: string, generation: string, seq: string, most: string): string {
  const side = (name: 'a' | 'b') =>
    `(select contradiction_id, status, precedence, span_${name} as span, group_${name} as group_key, value_${name} as value_key
        from contradictions where scope_key = ${scopeKey} and generation = ${generation} and origin = 'detected' and seq_${name} = ${seq}
       order by precedence limit ${most})`;
  return `select contradiction_id as id, span[1] as start, span[2] as "end", group_key::float8 as "group", value_key::float8 as value
       from (${side('a')} union all ${side('b')}) sides where status = 'open' order by precedence limit ${most}`;
}

export async function listContradictionsOfClaims(
  db: Queryable,
  { scope_key, generation }: ScopeHandle,
  seq: number,
  most: number,
): Promise<ClaimContradiction[]> {
  const { rows } = await db.query<ClaimContradiction>(contradictionsOfClaims('$1', '$2', '$3', '$4'), [
    scope_key,
    generation,
    seq,
    most,
  ]);
  return rows;
}
