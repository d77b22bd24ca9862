/** Lists of the contradictions table: whatever they are filtered by, a page reads about as many rows as it may show. */
import {
  type ContradictionStatus,
  contradictionStatuses,
  type Severity,
  severities,
} from '../contract/contradictions.ts';
import { BYTES, type ContradictionRow, ROW, SHOWN } from './contradictions.ts';
import type { Queryable } from './database.ts';
import { type Listed, withinBytes } from './pages.ts';
import type { ScopeHandle } from './scopes.ts';

export interface ContradictionFilter {
  status?: ContradictionStatus;
  severity?: Severity;
  subject?: string;
  document_id?: string;
}

export interface ListedContradiction extends ContradictionRow, Listed {
  /** What it was found by is one part of the filter; whether the rest fits, too. */
  is_wanted: boolean;
}

interface Where {
  /** The ordinal of the last one on the page before. */
  after: string;
  isNewestFirst: boolean;
  limit: number;
}

/**
 * In order of their making, or the newest first, from after one on; fewer than the limit where they are large. One part of the
 * filter finds them, in the order of an index; those that the rest of it excludes are among the rows, since somebody may have any
 * number of them.
 */
export async function listContradictions(
  db: Queryable,
  scope: ScopeHandle,
  filter: ContradictionFilter,
  { after, isNewestFirst, limit }: Where,
): Promise<ListedContradiction[]> {
  const values: unknown[] = [scope.scope_key, scope.generation, after, limit];
  const param = (value: unknown) => `$${values.push(value)}`;
  const cut = isNewestFirst ? newestFirst : oldestFirst;
  const order = `ordinal ${isNewestFirst ? 'desc' : 'asc'}`;
  const wanted = conditionsOf(filter, param).join(' and ') || 'true';
  const page = `select * from (${pagesOf(filter, param, cut).join(' union all ')}) pages order by ${order} limit $4`;
  const { rows } = await db.query<ListedContradiction>(
    withinBytes(page, { select: `${ROW}, (${wanted}) is true as is_wanted`, order, bytes: BYTES }),
    values,
  );
  return rows;
}

type Param = (value: unknown) => string;
/** What comes next of the rows that have these values in the columns of an index, which goes on with the ordinal. */
type Cut = (from: string, columns: string[], values: string[]) => string;

// Rows are compared, where one would write that each column equals its value: several indexes would then have the order, and without
// figures of the table Postgres may take one that reads a whole scope. And in this one it begins where the last page ended.
const oldestFirst: Cut = (from, columns, values) =>
  cutBy(from, columns, values, { past: '>', until: '<=', way: 'asc' });
const newestFirst: Cut = (from, columns, values) =>
  cutBy(from, columns, values, { past: '<', until: '>=', way: 'desc' });

function cutBy(
  from: string,
  columns: string[],
  values: string[],
  { past, until, way }: { past: string; until: string; way: string },
): string {
  const key = [...columns, 'ordinal'];
  const end = columns.length > 0 ? `and (${columns.join(', ')}) ${until} (${values.join(', ')})` : '';
  return `(select * from ${from} and scope_key = $1 and generation = $2
     and (${key.join(', ')}) ${past} (${[...values, '$3::bigint'].join(', ')}) ${end}
   order by ${key.map((column) => `${column} ${way}`).join(', ')} limit $4)`;
}

/** Each in the order of the list; together they have all that one part of the filter finds. */
function pagesOf({ status, severity, subject, document_id }: ContradictionFilter, param: Param, cut: Cut): string[] {
  const shown = `contradictions where ${SHOWN}`;
  if (document_id !== undefined) return pagesOfDocument(`hashtextextended(${param(document_id)}, 0)`, cut);
  if (subject !== undefined)
    return [cut(`${shown} and subject is not null`, [hashOf('subject')], [`hashtextextended(${param(subject)}, 0)`])];
  if (severity === undefined && status === undefined) return [cut(shown, [], [])];
  return severities
    .filter((one) => one === (severity ?? one))
    .flatMap((its) =>
      contradictionStatuses
        .filter((one) => one === (status ?? one))
        .map((one) => cut(shown, ['severity', 'status'], [`'${its}'`, `'${one}'`])),
    );
}

/** Detected ones are found by their sides, reported ones by the documents that they name. */
function pagesOfDocument(hash: string, cut: Cut): string[] {
  const detected = `contradictions where origin = 'detected' and ${SHOWN}`;
  return [
    cut(detected, [hashOf('document_a')], [hash]),
    cut(`${detected} and document_b <> document_a`, [hashOf('document_b')], [hash]),
    `(select found.* from ${cut('report_documents where true', ['document_hash'], [hash])} named
       cross join lateral (select * from contradictions where scope_key = $1 and generation = $2 and ${SHOWN}
                              and ordinal between named.ordinal and named.ordinal order by ordinal limit 1) found)`,
  ];
}

/** As the indexes have it: a text may be longer than a key of an index. */
const hashOf = (column: string) => `hashtextextended(${column}, 0)`;

function conditionsOf({ status, severity, subject, document_id }: ContradictionFilter, param: Param): string[] {
  return [
    ...(status ? [`status = ${param(status)}`] : []),
    ...(severity ? [`severity = ${param(severity)}`] : []),
    ...(subject === undefined ? [] : [`subject = ${param(subject)}`]),
    ...(document_id === undefined ? [] : [`document_ids @> array[${param(document_id)}]`]),
  ];
}
