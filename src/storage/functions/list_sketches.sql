-- The sketches of these readings, in order; null for one that is not there, or was made by other rules.
create or replace function list_sketches(scopes bigint[], generations int[], seqs bigint[], its_rules int) returns json
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select json_agg((select r.sketch from readings r
                    where r.scope_key = wanted.scope and r.generation = wanted.generation and r.seq = wanted.seq and r.rules = its_rules)
                  order by nth)
    from unnest(scopes, generations, seqs) with ordinality as wanted (scope, generation, seq, nth)
$$;
