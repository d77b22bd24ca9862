-- For a turn: lanes of the tenants that were served longest ago, as many as have the documents that fill it. A tenant that would
-- fill the rest of one has the next to itself. A tenant takes part in no more than `turns_per_tenant` turns at once, but for those
-- that claim nothing, as reading again does. A lane with suspects is taken alone, one document. Takes are made one at a time, or two
-- could overrun that cap together. A lease that is lost in a crash of Postgres is only a batch done again: nobody waits for the disk.
create or replace function take_lanes(worker text, lease_ms int, turns_per_tenant int, most_lanes int, most_documents int, most_bytes bigint)
returns json language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  candidate text;
  picked bigint[] := '{}';
  more bigint[];
  filled bigint := 0;
  adds bigint;
  first lanes;
  -- In a variable: a condition on a function that changes cannot be looked up in an index.
  moment timestamptz;
begin
  if (select state from runtime) <> 'running' then return null; end if;
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(7213003);
  moment := clock_timestamp();
  for candidate in
    select t.tenant_id from tenant_turns t join tenants using (tenant_id)
     where t.busy and tenants.state = 'running'
       and exists (select from lanes l where l.tenant_id = t.tenant_id and not l.held and l.ready_at <= moment)
     order by t.served_at
  loop
    continue when turns_per_tenant <= (
      select count(distinct epoch) from lanes
       where tenant_id = candidate and holder is not null and ready_at > moment and claimed <> '{}');
    -- Whoever holds its row gives the tenant its first lane or takes its last, and would wait for others that this turn holds.
    perform from tenant_turns where tenant_id = candidate for update skip locked;
    continue when not found;
    select * into first from lanes
     where tenant_id = candidate and not held and ready_at <= moment order by ready_at limit 1 for update skip locked;
    continue when not found;
    -- Beside others it would not be alone: then it is the first of the next turn.
    exit when picked <> '{}' and (first.holder is not null or first.suspects > 0);
    if first.holder is not null or first.suspects > 0 then
      if note_vanished(first) > 0 then most_documents := 1; end if;
      return serve_lanes(array[first.scope_key], worker, moment, lease_ms, most_documents, most_bytes);
    end if;
    select array_agg(scope_key order by ready_at, scope_key), sum(documents) into more, adds from (
      select l.scope_key, l.ready_at, s.documents, sum(s.documents) over (order by l.ready_at, l.scope_key) as up_to
        from (select scope_key, ready_at from lanes
               where tenant_id = candidate and not held and ready_at <= moment and holder is null and suspects = 0
               order by ready_at limit most_lanes - cardinality(picked) for update skip locked) l
       cross join lateral (
         select greatest(1, queued + retrying) as documents from scopes s where s.scope_key = l.scope_key order by recency desc limit 1) s) ready
     where filled + up_to - documents < most_documents;
    -- Whoever would fill the rest has the next turn to itself: those who have little do not wait for much.
    continue when picked <> '{}' and filled + adds >= most_documents;
    picked := picked || more;
    filled := filled + adds;
    exit when filled >= most_documents or cardinality(picked) >= most_lanes;
  end loop;
  if picked = '{}' then return null; end if;
  return serve_lanes(picked, worker, moment, lease_ms, most_documents, most_bytes);
end $$;
