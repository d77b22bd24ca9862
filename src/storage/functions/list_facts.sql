-- What is said in groups of a scope: [nth, documents, disputes, said_at, values, contradictions, group_key] for each of them that
-- there is, the place counted from 1. The values are the first so many, by the number of documents that give them: [value_key,
-- documents, seq], with the first document that does. The contradictions are those that are shown and open;
-- where all that are shown were decided, there is no dispute.
create or replace function list_facts(scope bigint, its_generation int, wanted_groups bigint[], most int) returns json
language sql stable set enable_seqscan = off set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_generic_plan as $$
  with unfiled as materialized (
    select said.group_key, said.value_key, count(distinct said.seq) as documents, min(said.seq) as first
      -- Unnested here and not in a join, claims are not gathered for each reading first.
      from (select r.seq, unnest(r.groups) as group_key, unnest(r.group_values) as value_key from readings r
             where r.scope_key = scope and r.generation = its_generation
               and r.seq > (select filed_up_to from scopes where scope_key = scope order by recency desc limit 1)) said
      -- Joined, they are looked up in a hash; with any(), each claim would be compared with each of them.
      join unnest(wanted_groups) as wanted (key) on wanted.key = said.group_key
     group by 1, 2)
  select coalesce(json_agg(json_build_array(
           wanted.nth, coalesce(g.documents, 1), case when g.decided then 0 else coalesce(g.disputes, 0) end, g.said_at,
           said.list, case when g.disputes > 0 then open_in_group(scope, its_generation, wanted.key) end, wanted.key)
           order by wanted.nth), '[]')
    from unnest(wanted_groups) with ordinality as wanted (key, nth)
    left join lateral (
      select * from claim_groups g
       where g.scope_key = scope and g.generation = its_generation and g.group_key = wanted.key limit 1) g on true
   cross join lateral (
     select json_agg(json_build_array(
              value_key, documents,
              coalesce((select min(e.seq) from claim_evidence e
                         where e.scope_key = scope and e.generation = its_generation and e.group_key = wanted.key
                           and e.value_key = first.value_key), first.unfiled)) order by documents desc, value_key) as list
       from (select known.value_key, coalesce(v.documents, 0) + coalesce(u.documents, 0) as documents, u.first as unfiled
               from (select value_key from first_values(scope, its_generation, wanted.key, most) as value_key
                      union select value_key from unfiled where group_key = wanted.key) known
               left join unfiled u on u.group_key = wanted.key and u.value_key = known.value_key
               left join lateral (
                 select v.documents from claim_values v
                  where v.scope_key = scope and v.generation = its_generation and v.group_key = wanted.key
                    and v.value_key = known.value_key limit 1) v on true
              order by 2 desc, 1 limit most) first
     having count(*) > 0) said
$$;
