-- Adds documents, those that have an nth, to the counters of their scopes, and to the next seq, but for scopes that are `left_out`.
-- A scope is locked and counted in one step. Returns for each its key, its generation and the seq of the first, nulls where
-- nothing was added; and whether it had nothing queued before and has now. Nothing is added for a tenant that is being purged.
-- Scopes are looked up one by one, and changed by their place: joined by their names Postgres would read all there are, or a few
-- with all the versions that an old snapshot keeps, once it was planned while they were few.
create or replace function add_to_scopes(
  tenant_ids text[], scope_ids text[], places int[], states text[], nths int[], left_out boolean[])
returns table (scope_keys bigint[], generations int[], firsts bigint[], awakened boolean[])
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
begin
  -- A scope that somebody else changed while we waited for it has another place then. We have it locked, and come to it again.
  for pass in 1..2 loop
    with added as (
      select place, tenant_ids[place] as tenant, scope_ids[place] as scope, count(*) as documents,
             count(*) filter (where state = 'registered') as registered,
             count(*) filter (where state = 'pending') as pending, count(*) filter (where state = 'queued') as queued
        from unnest(places, states, nths) as d (place, state, nth)
       where nth is not null and not left_out[place] and (pass = 1 or scope_keys[place] is null)
       -- Locked in one order for everybody, so that two flushes cannot wait for each other.
       group by place order by tenant, scope offset 0
    ), counted as (
      update scopes s
         set recency = s.recency + (random() < 0.02)::int, next_seq = s.next_seq + a.documents,
             registered = s.registered + a.registered, pending = s.pending + a.pending, queued = s.queued + a.queued
        from (select added.*, its.row
                from added
               cross join lateral (
                 select ctid as row from scopes s
                  where s.tenant_id = added.tenant and s.scope_id = added.scope order by recency desc limit 1) its
               where tenant <> all (array(select tenant_id from tenants where deleted_at is not null))) a
       where s.ctid = a.row
      returning place, scope_key, generation, s.next_seq - a.documents as first,
                a.queued > 0 and s.queued = a.queued as is_awake
    )
    select array_agg(coalesce(counted.scope_key, scope_keys[place]) order by place),
           array_agg(coalesce(counted.generation, generations[place]) order by place),
           array_agg(coalesce(counted.first, firsts[place]) order by place),
           array_agg(coalesce(is_awake, awakened[place], false) order by place)
      into scope_keys, generations, firsts, awakened
      from generate_series(1, cardinality(scope_ids)) as place left join counted using (place);
    exit when not exists (
      select from unnest(places, nths) as d (place, nth)
       where nth is not null and not left_out[place] and scope_keys[place] is null);
  end loop;
  return next;
end $$;
