-- Takes readings away, filed or not, with what was filed of them. What that means for groups and contradictions was planned.
create or replace function forget_readings_of(scope bigint, its_generation int, seqs bigint[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  filed bigint[] := array(
    select its.seq from unnest(seqs) as its (seq)
     where its.seq <= (select filed_up_to from scopes where scope_key = scope order by recency desc limit 1));
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
    delete from claim_evidence where ctid = any (array(
      select found.ctid
        from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
       cross join lateral (
         select e.ctid from claim_evidence e
          where e.scope_key = scope and e.generation = its_generation and e.group_key = said.group_key
            and e.value_key = said.value_key and e.seq = r.seq limit 1) found
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
