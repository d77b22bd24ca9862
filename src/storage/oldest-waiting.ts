/** When the first of the documents of a scope that wait was queued: found by two looks at an index, however many wait. */

/** Of the row of scopes by this name; null when none waits. */
export const oldestWaiting = (scope: string) => `(select min(queued_at) from (
   -- As in lease_lanes: an equality would have the primary key walked.
   (select queued_at from documents where documents.scope_key = ${scope}.scope_key
       and documents.generation = ${scope}.generation and documents.state between 'queued' and 'queued'
       and seq >= ${scope}.queued_from
     order by documents.state, seq limit 1)
   union all
   (select queued_at from documents where documents.scope_key = ${scope}.scope_key
       and documents.generation = ${scope}.generation and documents.state = 'retrying'
     order by not_before limit 1)
 ) oldest)`;
