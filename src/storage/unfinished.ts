/** Which documents of a scope are still to be processed, the first or the last of them: two looks at an index, however many there are. */

/**
 * One that is queued or waits to be tried again, be it in work or not; those that are pending nobody has asked for. As in
 * lease_lanes: an equality would have the primary key walked, past all that are done. The counters save a look where there is
 * nothing, which would walk past the entries of all that have left the state since the last vacuum.
 */
const unfinished = (state: 'queued' | 'retrying', order: 'asc' | 'desc', range = '') =>
  `(select d.seq, d.document_id from documents d
     where d.scope_key = scopes.scope_key and d.generation = scopes.generation and scopes.${state} > 0
       and d.state between '${state}' and '${state}' ${state === 'queued' ? 'and d.seq >= scopes.queued_from' : ''} ${range}
     order by d.state ${order}, d.seq ${order} limit 1)`;

/** Of a row of scopes: the seq up to which everything is done; null when not even the first is, or there is none. */
export const SETTLED_THROUGH = `(select nullif(coalesce(min(seq), scopes.next_seq) - 1, -1)::float8
   from (${unfinished('queued', 'asc')} union all ${unfinished('retrying', 'asc')}) unfinished)`;

/** Of a row of scopes: the last that is not done, with a seq up to this one. */
export function lastUnfinished(upTo: string): string {
  const range = `and d.seq <= ${upTo}`;
  return `select seq::float8 as seq, document_id
     from (${unfinished('queued', 'desc', range)} union all ${unfinished('retrying', 'desc', range)}) unfinished
    order by unfinished.seq desc limit 1`;
}
