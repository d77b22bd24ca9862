-- What is stored of groups of scopes: [nth, documents, disputes, leader, changed_at, values, counts] for each that has a row, the
-- place counted from 1. The values are those that most of the filed documents have, up to `most` of those that several have and of
-- all the others in their order, and the counts how many have each.
create or replace function list_groups(scopes bigint[], generations int[], keys bigint[], most int[]) returns json
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(json_build_array(
           nth, g.documents, g.disputes, g.leader, g.changed_at, said.values, said.counts)), '[]')
    from unnest(scopes, generations, keys, most) with ordinality as wanted (scope, generation, key, most, nth)
   cross join lateral (
     select * from claim_groups g
      where g.scope_key = wanted.scope and g.generation = wanted.generation and g.group_key = wanted.key limit 1) g
   cross join lateral (
     select coalesce(array_agg(value_key), '{}') as values, coalesce(array_agg(documents), '{}') as counts from (
       (select v.value_key, v.documents from claim_values v
         where v.scope_key = wanted.scope and v.generation = wanted.generation and v.group_key = wanted.key and v.documents > 1
         order by v.documents desc, v.value_key limit wanted.most)
       union all
       (select v.value_key, v.documents from claim_values v
         where v.scope_key = wanted.scope and v.generation = wanted.generation and v.group_key = wanted.key
         order by v.value_key limit wanted.most)) first) said
$$;
