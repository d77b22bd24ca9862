-- Writes what the documents of a batch say, `findings`: `readings` {seq, document_id, document_hash, claims, count, keys, groups,
-- values, warnings}, `conflicts` between them and others, and `dropped`, the contradictions whose documents are no longer looked
-- at together. Only what the batch made `processed` counts, and only while the other side is still there. `older` are the
-- versions that it superseded. The transaction has locked the scope. Returns what became of contradictions, and the counts for
-- measuring.
--
-- Rows are looked up by their whole keys, as in claim_documents, so that this costs the same in a scope of any size.
create or replace function settle_findings(scope bigint, its_generation int, findings json, processed bigint[], older bigint[])
returns json language plpgsql set enable_seqscan = off as $$
declare
  conflicts json := findings -> 'conflicts';
  touched bigint[];
  others bigint[];
  before int[];
  more int[];
  after int[];
  added text[] := '{}';
  reopened text[] := '{}';
  evidence text[] := '{}';
  n_claims bigint;
  n_critical int;
  gone json;
begin
  -- Parsed once: the claims are most of what a batch brings.
  with said as materialized (
    select * from json_to_recordset(findings -> 'readings')
           as r (seq bigint, document_id text, document_hash bigint, claims text, keys bigint[], groups bigint[],
                 values bigint[], count int, warnings text[])
     where r.seq = any (processed)
  ), kept as (
    insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values)
    select scope, its_generation, r.seq, r.document_id, r.document_hash, r.claims, r.keys, r.groups, r.values from said r
  )
  update documents d set claims = r.count, warnings = r.warnings
    from said r
   cross join lateral (
     select d.ctid as place from documents d
      where d.scope_key = scope and d.generation = its_generation and d.seq between r.seq and r.seq
      order by d.seq limit 1) its
   where d.ctid = its.place;
  insert into claim_keys (scope_key, generation, key, document_hash, seq)
  select scope, its_generation, its.key, r.document_hash, r.seq
    from readings r cross join lateral unnest(r.keys) as its (key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (processed)
   order by 3, 4, 5;

  touched := array(
    select unnest(groups) from readings where scope_key = scope and generation = its_generation and seq = any (processed)
    union select group_a from json_to_recordset(conflicts) as c (group_a bigint)
    union select group_b from json_to_recordset(conflicts) as c (group_b bigint));
  before := count_groups(scope, its_generation, touched);
  perform count_readings(scope, its_generation, processed, 1);

  if json_array_length(conflicts) > 0 then
    with found as (
      insert into contradictions as c (
        scope_key, generation, contradiction_id, pair_sha256, claim_a, claim_b, source_a, source_b, document_ids, subject,
        attribute, severity, origin, reason, document_a, document_b, seq_a, seq_b, span_a, span_b, group_a, group_b,
        value_a, value_b)
      select scope, its_generation, w.contradiction_id, decode(w.pair, 'base64'), w.claim_a, w.claim_b, ca.source, cb.source,
             array[a.document_id, b.document_id], w.subject, w.attribute, w.severity, 'detected', w.reason, a.document_id,
             b.document_id, w.seq_a, w.seq_b, w.span_a, w.span_b, w.group_a, w.group_b, w.value_a, w.value_b
        from json_to_recordset(conflicts)
               as w (contradiction_id text, pair text, claim_a text, claim_b text, subject text, attribute text, severity text,
                     reason text, seq_a bigint, seq_b bigint, span_a int[], span_b int[], group_a bigint, group_b bigint,
                     value_a bigint, value_b bigint)
       cross join lateral (select document_id from readings r
                            where r.scope_key = scope and r.generation = its_generation and r.seq = w.seq_a limit 1) a
       cross join lateral (select document_id from readings r
                            where r.scope_key = scope and r.generation = its_generation and r.seq = w.seq_b limit 1) b
       cross join lateral (select source from document_contents d
                            where d.scope_key = scope and d.generation = its_generation and d.seq = w.seq_a limit 1) ca
       cross join lateral (select source from document_contents d
                            where d.scope_key = scope and d.generation = its_generation and d.seq = w.seq_b limit 1) cb
       order by w.pair
      -- Said again by a new version: the same contradiction, decided as it was.
      on conflict (scope_key, generation, pair_sha256) do update
         set seq_a = excluded.seq_a, seq_b = excluded.seq_b, span_a = excluded.span_a, span_b = excluded.span_b
      returning contradiction_id, (xmax = 0) as is_new
    )
    select coalesce(array_agg(contradiction_id) filter (where is_new), '{}') into added from found;

    -- A resolution stands until a document from outside contradicts what it upholds.
    select coalesce(array_agg(id), '{}'), coalesce(array_agg(by), '{}') into reopened, evidence from (
      select distinct on (c.contradiction_id) c.contradiction_id as id, n.contradiction_id as by
        from contradictions n
       cross join lateral (values (n.group_a, n.value_a, n.document_b), (n.group_b, n.value_b, n.document_a))
               as upheld (group_key, value_key, witness)
       cross join lateral (
         (select * from contradictions r
           where r.scope_key = scope and r.generation = its_generation and r.origin = 'detected' and r.status = 'resolved'
             and r.group_a = upheld.group_key and r.value_a = upheld.value_key and coalesce(r.upheld, 'a') = 'a' offset 0)
         union all
         (select * from contradictions r
           where r.scope_key = scope and r.generation = its_generation and r.origin = 'detected' and r.status = 'resolved'
             and r.group_b = upheld.group_key and r.value_b = upheld.value_key and coalesce(r.upheld, 'b') = 'b' offset 0)) c
       where n.contradiction_id = any (added) and upheld.witness not in (c.document_a, c.document_b)
       order by c.contradiction_id, n.ordinal) against;
    others := array(
      (select group_a from contradictions where contradiction_id = any (reopened)
       union select group_b from contradictions where contradiction_id = any (reopened))
      except select unnest(touched));
    more := count_groups(scope, its_generation, others);
    before := array[before[1] + more[1], before[2] + more[2], before[3] + more[3]];
    touched := touched || others;
    update contradictions set status = 'open', resolution = null, resolved_by = null, resolved_at = null, upheld = null
     where contradiction_id = any (reopened);
  end if;

  select count(*) filter (where severity = 'critical') into n_critical
    from contradictions where contradiction_id = any (added || reopened);
  perform count_disputes(scope, its_generation, added || reopened, 1);
  perform lead_groups(scope, its_generation, touched);
  after := count_groups(scope, its_generation, touched);
  select coalesce(sum(r.count), 0) into n_claims
    from json_to_recordset(findings -> 'readings') as r (seq bigint, count int) where r.seq = any (processed);
  update scopes
     set claims = claims + n_claims, groups = groups + after[1] - before[1],
         groups_shared = groups_shared + after[2] - before[2], groups_disputed = groups_disputed + after[3] - before[3],
         contradictions_open = contradictions_open + cardinality(added) + cardinality(reopened),
         contradictions_resolved = contradictions_resolved - cardinality(reopened),
         contradictions_critical = contradictions_critical + n_critical
   where scope_key = scope;

  gone := forget_readings(
    scope, its_generation, older, array(select json_array_elements_text(findings -> 'dropped')));
  return json_build_object(
    'added', (select coalesce(json_agg(json_build_object('contradiction_id', contradiction_id, 'severity', severity,
                       'document_ids', document_ids) order by ordinal), '[]')
                from contradictions where contradiction_id = any (added)),
    'reopened', (select coalesce(json_agg(json_build_object('contradiction_id', id, 'evidence', by)), '[]')
                   from unnest(reopened, evidence) as r (id, by)),
    'retracted', gone,
    'counts', convergence_counts(scope));
end $$;
