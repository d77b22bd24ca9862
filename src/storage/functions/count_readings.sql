-- Adds readings to the groups and values of their claims (`step` 1), or takes them away (-1).
create or replace function count_readings(scope bigint, its_generation int, seqs bigint[], step int) returns void
language plpgsql set enable_seqscan = off as $$
begin
  if cardinality(seqs) = 0 then return; end if;
  insert into claim_groups as g (scope_key, generation, group_key, documents)
  select scope, its_generation, said.group_key, step * count(distinct r.seq)
    from readings r cross join lateral unnest(r.groups) as said (group_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   group by said.group_key order by said.group_key
  on conflict (scope_key, generation, group_key) do update set documents = g.documents + excluded.documents;
  insert into claim_values as v (scope_key, generation, group_key, value_key, documents)
  select scope, its_generation, said.group_key, said.value_key, step * count(distinct r.seq)
    from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   group by said.group_key, said.value_key order by said.group_key, said.value_key
  on conflict (scope_key, generation, group_key, value_key) do update set documents = v.documents + excluded.documents;
end $$;
