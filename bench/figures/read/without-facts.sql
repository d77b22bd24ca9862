-- What a settle writes when facts need not be read: as the functions of these names do it, without evidence, words and order.
drop index claim_groups_in_order;

create or replace function file_readings(scope bigint, its_generation int, seqs bigint[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into claim_keys (scope_key, generation, key, document_hash, seq)
  select scope, its_generation, its.key, r.document_hash, r.seq
    from readings r cross join lateral unnest(r.keys) as its (key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   order by 3, 4, 5;
  insert into claim_values as v (scope_key, generation, group_key, value_key, documents)
  select scope, its_generation, said.group_key, said.value_key, count(distinct r.seq)
    from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   group by said.group_key, said.value_key order by said.group_key, said.value_key
  on conflict (scope_key, generation, group_key, value_key) do update set documents = v.documents + excluded.documents;
  insert into claim_groups (scope_key, generation, group_key, documents, leader)
  select scope, its_generation, said.group_key, 1, min(said.value_key)
    from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   group by said.group_key order by said.group_key
  on conflict (scope_key, generation, group_key) do nothing;
end $$;

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

create or replace function forget_readings_of(scope bigint, its_generation int, seqs bigint[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  filed bigint[] := array(
    select its.seq from unnest(seqs) as its (seq)
     where its.seq <= (select filed_up_to from scopes where scope_key = scope));
begin
  if cardinality(filed) > 0 then
    delete from claim_keys where ctid = any (array(
      select found.ctid
        from readings r cross join lateral unnest(r.keys) as its (key)
       cross join lateral (
         select k.ctid from claim_keys k
          where k.scope_key = scope and k.generation = its_generation and k.key = its.key
            and k.document_hash = r.document_hash and k.seq = r.seq limit 1) found
       where r.scope_key = scope and r.generation = its_generation and r.seq = any (filed)));
    update claim_values v set documents = v.documents - less.documents
      from (select its.place, count(distinct r.seq) as documents
              from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
             cross join lateral (
               select ctid as place from claim_values v
                where v.scope_key = scope and v.generation = its_generation and v.group_key = said.group_key
                  and v.value_key = said.value_key limit 1) its
             where r.scope_key = scope and r.generation = its_generation and r.seq = any (filed)
             group by its.place) less
     where v.ctid = less.place;
    delete from claim_values v where v.ctid = any (array(
      select its.place
        from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
       cross join lateral (
         select ctid as place from claim_values v
          where v.scope_key = scope and v.generation = its_generation and v.group_key = said.group_key
            and v.value_key = said.value_key and v.documents <= 0 limit 1) its
       where r.scope_key = scope and r.generation = its_generation and r.seq = any (filed)));
  end if;
  delete from readings where scope_key = scope and generation = its_generation and seq = any (seqs);
end $$;
