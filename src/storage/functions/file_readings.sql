-- Files readings: from now on what they say is counted in claim_values, and they are found by it in claim_evidence. Their keys are filed
-- by file_keys. A group that has no row yet has one document: its own.
create or replace function file_readings(scope bigint, its_generation int, seqs bigint[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into claim_values as v (scope_key, generation, group_key, value_key, documents)
  select scope, its_generation, said.group_key, said.value_key, count(distinct r.seq)
    from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   group by said.group_key, said.value_key order by said.group_key, said.value_key
  on conflict (scope_key, generation, group_key, value_key) do update set documents = v.documents + excluded.documents;
  insert into claim_evidence (scope_key, generation, group_key, value_key, seq)
  select distinct scope, its_generation, said.group_key, said.value_key, r.seq
    from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   order by 3, 4, 5;
  insert into claim_groups (scope_key, generation, group_key, documents, leader, varied)
  select scope, its_generation, said.group_key, 1, min(said.value_key), min(said.value_key) <> max(said.value_key)
    from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   group by said.group_key order by said.group_key
  on conflict (scope_key, generation, group_key) do nothing;
end $$;
