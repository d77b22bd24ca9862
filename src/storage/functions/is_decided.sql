-- Whether a contradiction of a group was decided, and none that is shown is open. A group has ten places at each side.
create or replace function is_decided(scope bigint, its_generation int, its_group bigint) returns boolean
language sql stable set enable_seqscan = off as $$
  select coalesce(bool_or(status in ('resolved', 'deferred')) and bool_and(status <> 'open'), false)
    from ((select status from contradictions
            where scope_key = scope and generation = its_generation and group_a = its_group
              and origin = 'detected' and places & 3 = 3 order by precedence limit 20)
          union all
          (select status from contradictions
            where scope_key = scope and generation = its_generation and group_b = its_group
              and origin = 'detected' and places & 3 = 3 order by precedence limit 20)) first
$$;
