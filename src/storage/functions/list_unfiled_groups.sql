-- Kept for replicas of release 1; for the rest it is list_groups_by_id.
-- The groups, from after one on, that have no row: only one document speaks of them, which is not filed. They are looked up one by
-- one, in order, until there are enough: free to choose, Postgres may read the groups of all scopes instead.
create or replace function list_unfiled_groups(scope bigint, its_generation int, after_group bigint, most int)
returns table (group_key bigint, varied boolean)
language sql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select u.group_key, u.varied
    from (select said.group_key, min(said.value_key) <> max(said.value_key) as varied
            from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
           where r.scope_key = scope and r.generation = its_generation and said.group_key > after_group
             and r.seq > (select filed_up_to from scopes where scope_key = scope)
           group by 1 order by 1 offset 0) u
   where not exists (
     select from claim_groups g
      where g.scope_key = scope and g.generation = its_generation and g.group_key = u.group_key)
   order by 1 limit most
$$;
