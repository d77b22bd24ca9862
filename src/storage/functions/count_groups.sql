-- Counts how many of these groups there are, how many of them are shared, and how many are in dispute.
create or replace function count_groups(scope bigint, its_generation int, wanted bigint[]) returns int[]
language sql stable set enable_seqscan = off as $$
  select array[count(*) filter (where documents > 0), count(*) filter (where documents > 1 or documents > 0 and disputes > 0),
               count(*) filter (where disputes > 0)]::int[]
    from claim_groups where scope_key = scope and generation = its_generation and group_key = any (wanted)
$$;
