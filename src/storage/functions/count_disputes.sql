-- Counts one open contradiction more (`step` 1) or less (-1) for the groups of each of these. The groups are looked up as an
-- array and joined in memory: a join that is free to read all groups of a scope will, once it has been planned on a small one.
create or replace function count_disputes(scope bigint, its_generation int, ids text[], step int) returns void
language plpgsql set enable_seqscan = off set enable_nestloop = off as $$
declare
  touched bigint[];
  times bigint[];
begin
  if coalesce(cardinality(ids), 0) = 0 then return; end if;
  select array_agg(group_key), array_agg(n) into touched, times from (
    select side.group_key, count(*) as n
      from contradictions c cross join lateral (select c.group_a union select c.group_b) as side (group_key)
     where c.contradiction_id = any (ids) group by 1) open;
  update claim_groups g set disputes = disputes + step * open.n, said_at = now(),
         decided = is_decided(scope, its_generation, g.group_key)
    from unnest(touched, times) as open (group_key, n)
   where g.scope_key = scope and g.generation = its_generation and g.group_key = any (touched)
     and g.group_key = open.group_key;
  -- One whose documents were all read again was kept for its disputes alone.
  perform drop_groups(array_agg(scope), array_agg(its_generation), array_agg(group_key))
     from claim_groups g
    where g.scope_key = scope and g.generation = its_generation and g.group_key = any (touched)
      and g.documents <= 0 and g.disputes <= 0 having count(*) > 0;
end $$;
