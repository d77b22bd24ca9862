-- How many filed documents say each of these values: [nth, documents] for those that any does, the place counted from 1.
create or replace function list_values(scopes bigint[], generations int[], groups bigint[], keys bigint[]) returns json
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(json_build_array(nth, v.documents)), '[]')
    from unnest(scopes, generations, groups, keys) with ordinality as wanted (scope, generation, group_key, key, nth)
   cross join lateral (
     select documents from claim_values v
      where v.scope_key = wanted.scope and v.generation = wanted.generation and v.group_key = wanted.group_key
        and v.value_key = wanted.key limit 1) v
$$;
