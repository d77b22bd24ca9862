-- Adds documents, those that have an nth, to the counters of their scopes, and to the next seq, but for scopes that are `left_out`.
-- A scope is locked and counted in one step. Returns for each its key, its generation and the seq of the first, nulls where
-- nothing was added; and whether it had nothing queued before and has now. Nothing is added for a tenant that is being purged.
-- Scopes are looked up one by one: any other join would read all there are, once it was planned while they were few.
create or replace function add_to_scopes(
  tenant_ids text[], scope_ids text[], places int[], states text[], nths int[], left_out boolean[])
returns table (scope_keys bigint[], generations int[], firsts bigint[], awakened boolean[])
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
begin
  with added as (
    select place, tenant_ids[place] as tenant, scope_ids[place] as scope, count(*) as documents,
           count(*) filter (where state = 'registered') as registered,
           count(*) filter (where state = 'pending') as pending, count(*) filter (where state = 'queued') as queued
      from unnest(places, states, nths) as d (place, state, nth) where nth is not null and not left_out[place]
     -- Locked in one order for everybody, so that two flushes cannot wait for each other.
     group by place order by tenant, scope offset 0
  ), counted as (
    update scopes s
       set next_seq = s.next_seq + a.documents, registered = s.registered + a.registered,
           pending = s.pending + a.pending, queued = s.queued + a.queued
      from added a
     where s.tenant_id = a.tenant and s.scope_id = a.scope
       and s.tenant_id <> all (array(select tenant_id from tenants where deleted_at is not null))
    returning place, scope_key, generation, s.next_seq - a.documents as first,
              a.queued > 0 and s.queued = a.queued as is_awake
  )
  select array_agg(scope_key order by place), array_agg(generation order by place), array_agg(first order by place),
         array_agg(coalesce(is_awake, false) order by place)
    into scope_keys, generations, firsts, awakened
    from generate_series(1, cardinality(scope_ids)) as place left join counted using (place);
  return next;
end $$;
