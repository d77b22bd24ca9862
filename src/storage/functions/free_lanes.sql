-- Ends the leases of these lanes, of which so many documents are done each. They go to the back of the line in the order of their
-- plans. A lane of which nothing waits any more goes.
create or replace function free_lanes(settling bigint[], plans json) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  front timestamptz := clock_timestamp() - json_array_length(plans) * interval '1 microsecond';
  idle text;
begin
  update lanes l
     set holder = null, claimed = '{}', claimed_at = null, suspects = greatest(0, l.suspects - p.done),
         -- At the back of the line, or when the first of those that wait may be tried again.
         ready_at = case when s.queued > 0 then p.back else greatest(p.back,
           (select min(not_before) from documents d
             where d.scope_key = l.scope_key and d.generation = l.generation and d.state = 'retrying')) end
    from (select lane, done, front + nth * interval '1 microsecond' as back
            from rows from (json_to_recordset(plans) as (lane bigint, done int)) with ordinality as p (lane, done, nth)) p
   cross join lateral (select queued, retrying from scopes s where s.scope_key = p.lane order by recency desc limit 1) s
   where l.scope_key = any (settling) and l.scope_key = p.lane and s.queued + s.retrying > 0;
  for idle in
    with gone as (
      delete from lanes l
       using unnest(settling) as its (key)
       cross join lateral (
         select queued + retrying as waiting from scopes s where s.scope_key = its.key order by recency desc limit 1) s
       where l.scope_key = any (settling) and l.scope_key = its.key and s.waiting <= 0
      returning l.tenant_id)
    select distinct tenant_id from gone order by 1
  loop
    continue when exists (select from lanes where tenant_id = idle);
    -- Whoever adds a lane locks this row: looked at again under its lock, no lane can be missed.
    perform from tenant_turns where tenant_id = idle for update;
    update tenant_turns set busy = false
     where tenant_id = idle and not exists (select from lanes where tenant_id = idle);
  end loop;
end $$;
