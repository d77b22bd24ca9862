-- The first so many groups of a scope after one, in order of their keys: those that have a row, and those that have none, since only
-- one document speaks of them, which is not filed. What is unfiled is held against the rows that were read, and only up to the last of
-- them: to look up each claim took longer than all the rest of a page, and so did workers in parallel, which Postgres starts where it
-- takes a third of a large scope to be unfiled.
create or replace function list_groups_by_id(scope bigint, its_generation int, after_group bigint, most int)
returns table (group_key bigint, documents int, disputes int, varied boolean, decided boolean)
language sql stable set enable_seqscan = off set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_generic_plan as $$
  with stored as materialized (
    select g.group_key, g.documents, g.disputes, g.varied, g.decided from claim_groups g
     where g.scope_key = scope and g.generation = its_generation and g.group_key > after_group
     order by g.group_key limit most
  ), unfiled as (
    select said.group_key, min(said.value_key) <> max(said.value_key) as varied
      -- Unnested here and not in a join, claims are not gathered for each reading first.
      from (select unnest(r.groups) as group_key, unnest(r.group_values) as value_key from readings r
             where r.scope_key = scope and r.generation = its_generation
               and r.seq > (select filed_up_to from scopes where scope_key = scope order by recency desc limit 1)) said
     where said.group_key > after_group
       -- Behind the last row there may be others, of which nothing is known here.
       and said.group_key <= (select case when count(*) < most then 9223372036854775807 else max(s.group_key) end from stored s)
       and said.group_key not in (select s.group_key from stored s)
     group by 1
  )
  select * from stored
  union all
  select u.group_key, 1, 0, u.varied, false from unfiled u
   order by 1 limit most
$$;
