-- Says which value leads in each of these groups, and notes where it has become another. That is looked up among the values that
-- several documents give, which have an index of their own; without any, the lowest leads, which the primary key tells.
create or replace function lead_groups(scope bigint, its_generation int, wanted bigint[]) returns void
language plpgsql set enable_seqscan = off set enable_nestloop = off as $$
declare
  point bigint := (select points + 1 from scopes where scope_key = scope);
begin
  update claim_groups g
     set leader = first.value_key, changed_at = case when g.leader is null then g.changed_at else point end
    from (select its.group_key, coalesce(
                   (select value_key from claim_values v
                     where v.scope_key = scope and v.generation = its_generation and v.group_key = its.group_key
                       and v.documents > 1
                     order by v.documents desc, v.value_key limit 1),
                   (select value_key from claim_values v
                     where v.scope_key = scope and v.generation = its_generation and v.group_key = its.group_key
                     order by v.value_key limit 1)) as value_key
            from unnest(wanted) as its (group_key)) first
   where g.scope_key = scope and g.generation = its_generation and g.group_key = any (wanted)
     and g.group_key = first.group_key and first.value_key is not null and g.leader is distinct from first.value_key;
end $$;
