-- The ids of the contradictions of a group that are shown and open, the first first. A group has ten places at each side.
create or replace function open_in_group(scope bigint, its_generation int, its_group bigint) returns text[]
language sql stable set enable_seqscan = off as $$
  select array_agg(contradiction_id order by precedence, contradiction_id)
    from ((select contradiction_id, precedence, status from contradictions
            where scope_key = scope and generation = its_generation and group_a = its_group
              and origin = 'detected' and places & 3 = 3 order by precedence limit 20)
          union
          (select contradiction_id, precedence, status from contradictions
            where scope_key = scope and generation = its_generation and group_b = its_group
              and origin = 'detected' and places & 3 = 3 order by precedence limit 20)) first
   where status = 'open'
$$;
