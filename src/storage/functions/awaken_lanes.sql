-- Makes lanes, ready at once, for scopes that the transaction has locked and that have documents to process now.
create or replace function awaken_lanes(keys bigint[]) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  if cardinality(keys) = 0 then return; end if;
  insert into lanes (scope_key, tenant_id, scope_id, generation, held, ready_at)
  select scope_key, tenant_id, scope_id, generation, state <> 'running', clock_timestamp()
    from unnest(keys) as its (key)
   cross join lateral (select * from scopes s where s.scope_key = its.key order by recency desc limit 1) s
   order by scope_key
  -- A lane that waited for retries only. One that is in work is made ready by whoever works on it.
  on conflict (scope_key) do update set ready_at = least(lanes.ready_at, excluded.ready_at) where lanes.holder is null;
  insert into tenant_turns (tenant_id)
  select distinct tenant_id from scope_names where scope_key = any (keys) order by tenant_id
  on conflict (tenant_id) do update set busy = true where not tenant_turns.busy;
end $$;
