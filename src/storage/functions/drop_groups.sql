-- Takes away groups, and the words that they were found by.
create or replace function drop_groups(scopes bigint[], generations int[], groups bigint[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  gone tid[] := array(
    select g.ctid from unnest(scopes, generations, groups) as its (scope, generation, key)
     cross join lateral (
       select g.ctid from claim_groups g
        where g.scope_key = its.scope and g.generation = its.generation and g.group_key = its.key limit 1) g);
begin
  delete from fact_words where ctid = any (array(
    select found.ctid from claim_groups g
     cross join lateral unnest(g.words) as its (word)
     cross join lateral (
       select f.ctid from fact_words f
        where f.scope_key = g.scope_key and f.generation = g.generation and f.word = its.word and f.group_key = g.group_key
        limit 1) found
     where g.ctid = any (gone)));
  delete from claim_groups where ctid = any (gone);
end $$;
