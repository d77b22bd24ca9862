-- Settling a batch costs the same in a scope of any size. Plans are made while tables are small and kept for long after: a
-- join that is free to read all groups, readings or keys of a scope will. So rows are looked up by their whole keys here,
-- one by one or as an array, and what is found is joined in memory.

-- Only ever added to, and read through its key alone: vacuumed often, a look at a key's first documents need not visit each.
alter table claim_keys set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 20000);

-- One more or one less open contradiction for the groups of these.
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
  update claim_groups g set disputes = disputes + step * open.n
    from unnest(touched, times) as open (group_key, n)
   where g.scope_key = scope and g.generation = its_generation and g.group_key = any (touched)
     and g.group_key = open.group_key;
end $$;

-- Says which value leads in each of these groups, and notes where it has become another.
create or replace function lead_groups(scope bigint, its_generation int, wanted bigint[]) returns void
language plpgsql set enable_seqscan = off set enable_nestloop = off as $$
declare
  point bigint := (select points + 1 from scopes where scope_key = scope);
begin
  update claim_groups g
     set leader = first.value_key, changed_at = case when g.leader is null then g.changed_at else point end
    from (select its.group_key, best.value_key
            from unnest(wanted) as its (group_key)
           cross join lateral (
             select value_key from claim_values v
              where v.scope_key = scope and v.generation = its_generation and v.group_key = its.group_key
              order by v.documents desc, v.value_key limit 1) best) first
   where g.scope_key = scope and g.generation = its_generation and g.group_key = any (wanted)
     and g.group_key = first.group_key and g.leader is distinct from first.value_key;
end $$;

-- Takes readings away with all that came from them, except contradictions that others of their documents' versions have
-- taken over. Of a locked scope. Returns the contradictions that are retracted.
create or replace function forget_readings(scope bigint, its_generation int, seqs bigint[], retracted text[]) returns json
language plpgsql set enable_seqscan = off as $$
declare
  gone json;
  open_ones text[];
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
    select contradiction_id from contradictions
     where scope_key = scope and generation = its_generation and origin = 'detected' and seq_a = any (seqs)
    union
    select contradiction_id from contradictions
     where scope_key = scope and generation = its_generation and origin = 'detected' and seq_b = any (seqs));
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
  select coalesce(sum(claims), 0) into n_claims
    from documents where scope_key = scope and generation = its_generation and seq = any (seqs);
  update scopes
     set claims = claims - n_claims, groups = groups + after[1] - before[1],
         groups_shared = groups_shared + after[2] - before[2], groups_disputed = groups_disputed + after[3] - before[3],
         contradictions_open = contradictions_open - n_open, contradictions_resolved = contradictions_resolved - n_resolved,
         contradictions_deferred = contradictions_deferred - n_deferred,
         contradictions_critical = contradictions_critical - n_critical
   where scope_key = scope;
  update documents set claims = null where scope_key = scope and generation = its_generation and seq = any (seqs);
  return coalesce(gone, '[]');
end $$;

-- What a batch found out: `readings` {seq, document_id, document_hash, claims, count, keys, groups, values, warnings}, `conflicts` between them and
-- others, and `dropped`, the contradictions whose documents are no longer looked at together. Only what the batch made
-- processed counts, and only while the other side is still there. `older` are the versions that it superseded.
-- Of a locked scope. Returns what became of contradictions, and the counts for measuring.
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
  update documents d set claims = r.count, warnings = r.warnings from said r
   where d.scope_key = scope and d.generation = its_generation and d.seq = any (processed) and d.seq = r.seq;
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
  select coalesce(sum(claims), 0) into n_claims
    from documents where scope_key = scope and generation = its_generation and seq = any (processed);
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
