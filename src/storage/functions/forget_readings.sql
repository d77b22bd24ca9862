-- Takes readings away with all that came from them: keys, groups, values, and contradictions, but for those that other versions
-- of their documents have taken over; and the contradictions `retracted`. The transaction has locked the scope. Returns the
-- contradictions that are gone.
--
-- Rows are looked up by their whole keys, as in claim_documents, so that this costs the same in a scope of any size.
create or replace function forget_readings(scope bigint, its_generation int, seqs bigint[], retracted text[]) returns json
language plpgsql set enable_seqscan = off as $$
declare
  gone json;
  open_ones text[];
  places tid[];
  touched bigint[];
  before int[];
  after int[];
  n_claims bigint;
  n_open int;
  n_resolved int;
  n_deferred int;
  n_critical int;
begin
  retracted := coalesce(retracted, '{}') || array(
    select distinct side.contradiction_id
      from unnest(seqs) as its (seq)
     cross join lateral (
       (select contradiction_id from contradictions c
         where c.scope_key = scope and c.generation = its_generation and c.origin = 'detected' and c.seq_a = its.seq)
       union all
       (select contradiction_id from contradictions c
         where c.scope_key = scope and c.generation = its_generation and c.origin = 'detected' and c.seq_b = its.seq)) side);
  if cardinality(seqs) = 0 and cardinality(retracted) = 0 then return '[]'; end if;

  touched := array(
    select unnest(groups) from readings where scope_key = scope and generation = its_generation and seq = any (seqs)
    union select group_a from contradictions where contradiction_id = any (retracted)
    union select group_b from contradictions where contradiction_id = any (retracted));
  before := count_groups(scope, its_generation, touched);

  select count(*) filter (where status = 'open'), count(*) filter (where status = 'resolved'),
         count(*) filter (where status = 'deferred'), count(*) filter (where status = 'open' and severity = 'critical'),
         array_agg(contradiction_id) filter (where status = 'open'),
         json_agg(json_build_object('contradiction_id', contradiction_id, 'severity', severity,
                                    'document_ids', document_ids) order by ordinal)
    into n_open, n_resolved, n_deferred, n_critical, open_ones, gone
    from contradictions where scope_key = scope and generation = its_generation and contradiction_id = any (retracted);
  perform count_disputes(scope, its_generation, open_ones, -1);
  delete from contradictions
   where scope_key = scope and generation = its_generation and contradiction_id = any (retracted);

  perform count_readings(scope, its_generation, seqs, -1);
  delete from claim_values
   where scope_key = scope and generation = its_generation and group_key = any (touched) and documents <= 0;
  delete from claim_groups
   where scope_key = scope and generation = its_generation and group_key = any (touched) and documents <= 0;
  delete from claim_keys where ctid = any (array(
    select found.ctid
      from readings r cross join lateral unnest(r.keys) as its (key)
     cross join lateral (
       select k.ctid from claim_keys k
        where k.scope_key = scope and k.generation = its_generation and k.key = its.key
          and k.document_hash = r.document_hash and k.seq = r.seq limit 1) found
     where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)));
  delete from readings where scope_key = scope and generation = its_generation and seq = any (seqs);
  perform lead_groups(scope, its_generation, touched);

  after := count_groups(scope, its_generation, touched);
  select coalesce(sum(d.claims), 0), array_agg(d.place) into n_claims, places
    from unnest(seqs) as its (seq)
   cross join lateral (
     select d.ctid as place, d.claims from documents d
      where d.scope_key = scope and d.generation = its_generation and d.seq between its.seq and its.seq
      order by d.seq limit 1) d;
  update scopes
     set claims = claims - n_claims, groups = groups + after[1] - before[1],
         groups_shared = groups_shared + after[2] - before[2], groups_disputed = groups_disputed + after[3] - before[3],
         contradictions_open = contradictions_open - n_open, contradictions_resolved = contradictions_resolved - n_resolved,
         contradictions_deferred = contradictions_deferred - n_deferred,
         contradictions_critical = contradictions_critical - n_critical
   where scope_key = scope;
  update documents set claims = null where ctid = any (places);
  return coalesce(gone, '[]');
end $$;
