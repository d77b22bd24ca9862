-- Files the keys of readings: from now on they are found by claim_keys. Those that release 8 has filed are there: where it has left any,
-- all of them are looked up first, which takes nearly twice as long.
create or replace function file_keys(scope bigint, its_generation int, seqs bigint[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into claim_keys (scope_key, generation, key, document_hash, seq)
  select scope, its_generation, its.key, r.document_hash, r.seq
    from readings r cross join lateral unnest(r.keys) as its (key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   order by 3, 4, 5;
exception when unique_violation then
  insert into claim_keys (scope_key, generation, key, document_hash, seq)
  select scope, its_generation, its.key, r.document_hash, r.seq
    from readings r cross join lateral unnest(r.keys) as its (key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   order by 3, 4, 5
  on conflict do nothing;
end $$;
