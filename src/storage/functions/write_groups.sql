-- Writes groups as they are from now on; those without documents are gone. Only while its documents are read again can a group have
-- none and a dispute: then the contradiction is still to be judged by the newer rules.
create or replace function write_groups(settling bigint[], groups json) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into claim_groups as g (scope_key, generation, group_key, documents, disputes, leader, changed_at)
  select lane, generation, group_key, documents, disputes, leader, changed_at
    from json_to_recordset(groups)
           as r (lane bigint, generation int, group_key bigint, documents int, disputes int, leader bigint, changed_at bigint)
   where lane = any (settling) and (documents > 0 or disputes > 0) order by lane, group_key
  on conflict (scope_key, generation, group_key) do update
     set documents = excluded.documents, disputes = excluded.disputes, leader = excluded.leader, changed_at = excluded.changed_at;
  delete from claim_groups where ctid = any (array(
    select g.ctid
      from json_to_recordset(groups) as r (lane bigint, generation int, group_key bigint, documents int, disputes int)
     cross join lateral (
       select ctid from claim_groups g
        where g.scope_key = r.lane and g.generation = r.generation and g.group_key = r.group_key limit 1) g
     where r.lane = any (settling) and r.documents <= 0 and r.disputes <= 0));
end $$;
