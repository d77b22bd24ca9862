-- Claiming and settling look up rows by their whole keys, as settling findings does since 000006: a join that is free to will
-- read all documents of a service that is a few minutes old, whose tables were not analyzed since they were empty. Documents
-- have three indexes that begin alike, and while there are none any of them looks as good: `between` and an order leave only
-- the one by seq, and what is changed is found by its place.

-- As before, by whole keys.
create or replace function claim_documents(lane bigint, worker text, its_epoch bigint, most int, most_bytes bigint)
returns table (seq float8, document_id text, version int, attempts int, name text, type text, text text)
language plpgsql as $$
#variable_conflict use_column
declare
  its_generation int;
  from_seq bigint;
  seqs bigint[];
  moment timestamptz := clock_timestamp();
begin
  perform set_config('synchronous_commit', 'off', true);
  select generation into its_generation from lanes
   where scope_key = lane and holder = worker and epoch = its_epoch and ready_at > moment for update;
  if not found then return; end if;
  select queued_from into from_seq from scopes where scope_key = lane;

  select coalesce(array_agg(chosen.seq), '{}') into seqs from (
    select due.seq, sum(octet_length(c.text)) over (order by due.seq) as bytes, row_number() over (order by due.seq) as nth
      from (
        -- Not an equality, and ordered by the state too: while most documents are queued, the planner would walk the
        -- primary key, past all that are processed already.
        (select d.seq from documents d
          where d.scope_key = lane and d.generation = its_generation and d.state between 'queued' and 'queued'
            and d.seq >= from_seq
          order by d.state, d.seq limit most)
        union all
        (select d.seq from documents d
          where d.scope_key = lane and d.generation = its_generation and d.state = 'retrying'
            and d.not_before <= moment order by d.not_before limit most)
        order by 1 limit most
      ) due
     cross join lateral (
       select c.text from document_contents c
        where c.scope_key = lane and c.generation = its_generation and c.seq = due.seq limit 1) c
  ) chosen where chosen.nth = 1 or chosen.bytes <= most_bytes;

  update lanes set claimed = seqs, claimed_at = clock_timestamp() where scope_key = lane;
  return query
    select d.seq::float8, d.document_id, d.version, d.attempts::int, c.name, c.type, c.text
      from unnest(seqs) as wanted (seq)
     cross join lateral (
       select * from documents d
        where d.scope_key = lane and d.generation = its_generation and d.seq between wanted.seq and wanted.seq
        order by d.seq limit 1) d
     cross join lateral (
       select * from document_contents c
        where c.scope_key = lane and c.generation = its_generation and c.seq = wanted.seq limit 1) c
     order by d.seq;
end $$;

-- As before, by whole keys.
create or replace function settle_batch(lane bigint, worker text, its_epoch bigint, results json, findings json)
returns table (processed int, failed int, retried int, superseded int, more boolean, events json, found json)
language plpgsql as $$
#variable_conflict use_column
declare
  lease lanes%rowtype;
  counters scopes%rowtype;
  settled_at timestamptz;
  places tid[];
  seqs bigint[];
  ids text[];
  versions int[];
  before text[];
  after text[];
  tries int[];
  errors text[];
  retry_at timestamptz[];
  finished_since timestamptz[];
  older_seqs bigint[] := '{}';
  older_before text[] := '{}';
  older_ids text[];
  older_versions int[];
  n_processed int;
  n_failed int;
  n_retried int;
  n_superseded int;
  any_ready boolean;
  moment timestamptz;
  happened json;
  found_out json;
begin
  perform from scopes where scope_key = lane for no key update;
  settled_at := clock_timestamp();
  select * into lease from lanes
   where scope_key = lane and holder = worker and epoch = its_epoch and ready_at > settled_at for update;
  if not found then return; end if;

  -- What was deleted meanwhile is no longer there to be settled.
  with result as materialized (
    select d.place, d.seq, d.document_id, d.version, d.state, d.attempts + r.tried::int as attempts, d.queued_at, r.error, r.retry_ms,
           max(d.version) filter (where r.error is null) over (partition by d.document_id) as newest
      from json_to_recordset(results) as r (seq bigint, tried boolean, error text, retry_ms int)
     cross join lateral (
       select d.ctid as place, * from documents d
        where d.scope_key = lane and d.generation = lease.generation and d.seq between r.seq and r.seq
        order by d.seq limit 1) d
     where d.state in ('queued', 'retrying')
  )
  select array_agg(place), coalesce(array_agg(seq), '{}'), array_agg(document_id), array_agg(version), array_agg(state),
         array_agg(case when version < newest then 'superseded' when error is null then 'processed'
                        when retry_ms is null then 'failed' else 'retrying' end),
         array_agg(attempts), array_agg(case when version < newest then null else error end),
         array_agg(case when version < newest or error is null or retry_ms is null then null
                        else settled_at + retry_ms * interval '1 ms' end),
         -- Of those that are done, for better or worse.
         array_agg(queued_at) filter (where (newest is null or version >= newest) and (error is null or retry_ms is null))
    into places, seqs, ids, versions, before, after, tries, errors, retry_at, finished_since
    from result;

  update documents d
     set state = r.state, attempts = r.attempts, error = r.error, not_before = r.not_before,
         started_at = lease.claimed_at, finished_at = case when r.state <> 'retrying' then settled_at end
    from unnest(places, after, tries, errors, retry_at) as r (place, state, attempts, error, not_before)
   where d.ctid = r.place;

  -- Below the newest processed version everything is superseded, whatever it was.
  if exists (select from unnest(after, versions) as r (state, version) where state = 'processed' and version > 1) then
    select array_agg(d.place), coalesce(array_agg(d.seq), '{}'), array_agg(d.state), array_agg(d.document_id),
           array_agg(d.version)
      into places, older_seqs, older_before, older_ids, older_versions
      from unnest(ids, versions, after) as r (document_id, version, state)
     cross join lateral (
       select d.ctid as place, * from documents d
        where d.scope_key = lane and d.generation = lease.generation and d.document_id = r.document_id
          and d.version < r.version and d.state <> 'superseded' order by d.version offset 0) d
     where r.state = 'processed' and r.version > 1;
    update documents d set state = 'superseded', not_before = null, finished_at = settled_at where d.ctid = any (places);
  end if;

  select count(*) filter (where state = 'processed'), count(*) filter (where state = 'failed'),
         count(*) filter (where state = 'retrying'), count(*) filter (where state = 'superseded')
    into n_processed, n_failed, n_retried, n_superseded from unnest(after) state;
  n_superseded := n_superseded + cardinality(older_seqs);
  update scopes s
     set registered = s.registered - left_state.registered, pending = s.pending - left_state.pending,
         queued = s.queued - left_state.queued, retrying = s.retrying - left_state.retrying + n_retried,
         processed = s.processed - left_state.processed + n_processed,
         failed = s.failed - left_state.failed + n_failed, superseded = s.superseded + n_superseded,
         queued_from = coalesce(
           (select d.seq from documents d
             where d.scope_key = lane and d.generation = lease.generation and d.state between 'queued' and 'queued'
               and d.seq >= s.queued_from order by d.state, d.seq limit 1), s.next_seq)
    from (select count(*) filter (where state = 'registered') as registered,
                 count(*) filter (where state = 'pending') as pending,
                 count(*) filter (where state = 'queued') as queued,
                 count(*) filter (where state = 'retrying') as retrying,
                 count(*) filter (where state = 'processed') as processed,
                 count(*) filter (where state = 'failed') as failed
            from unnest(before || older_before) state) left_state
   where s.scope_key = lane
  returning s.* into counters;

  if cardinality(seqs) > 0 then
    perform note_metrics(lane, lease.claimed_at, settled_at, finished_since, n_processed, n_failed, n_retried);
  end if;
  found_out := settle_findings(lane, lease.generation, findings,
                               array(select seq from unnest(seqs, after) as r (seq, state) where state = 'processed'),
                               older_seqs);

  if counters.queued + counters.retrying = 0 then
    delete from lanes where scope_key = lane;
    if not exists (select from lanes where tenant_id = lease.tenant_id) then
      -- Whoever adds a lane locks this row: looked at again under its lock, no lane can be missed.
      perform from tenant_turns where tenant_id = lease.tenant_id for update;
      update tenant_turns set busy = false
       where tenant_id = lease.tenant_id and not exists (select from lanes where tenant_id = lease.tenant_id);
    end if;
  else
    update lanes
       set holder = null, claimed = '{}', claimed_at = null, suspects = greatest(0, suspects - cardinality(seqs)),
           -- At the back of the line, or when the first of those that wait may be tried again.
           ready_at = case when counters.queued > 0 then clock_timestamp() else greatest(clock_timestamp(),
             (select min(not_before) from documents d
               where d.scope_key = lane and d.generation = lease.generation and d.state = 'retrying')) end
     where scope_key = lane;
  end if;
  moment := clock_timestamp();
  any_ready := exists (
    select from lanes where tenant_id = lease.tenant_id and not lanes.held and ready_at <= moment);

  select json_agg(json_build_object('type', 'document.' || state, 'tenant_id', lease.tenant_id, 'scope_id', lease.scope_id,
           'payload', case when error is null
             then json_build_object('document_id', document_id, 'version', version, 'seq', seq)
             else json_build_object('document_id', document_id, 'version', version, 'seq', seq, 'error', error) end))
    into happened
    from (select seq, document_id, version, state, error
            from unnest(seqs, ids, versions, after, errors) as r (seq, document_id, version, state, error)
           where state <> 'retrying'
          union all
          select seq, document_id, version, 'superseded', null
            from unnest(older_seqs, older_ids, older_versions) as r (seq, document_id, version)
          order by seq) happened;
  return query select n_processed, n_failed, n_retried, n_superseded, any_ready,
                      to_json(coalesce(happened, '[]')), found_out;
end $$;

-- As before, by whole keys.
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

-- As before, by whole keys.
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

-- And since there is but one way to run any of this, it is planned once: to plan it for each batch again was more than a third
-- of what a batch cost Postgres. What these call is planned their way too.
alter function claim_documents(bigint, text, bigint, int, bigint)
  set enable_seqscan = off set plan_cache_mode = force_generic_plan;
alter function settle_batch(bigint, text, bigint, json, json)
  set enable_seqscan = off set plan_cache_mode = force_generic_plan;
alter function list_postings(bigint, int, bigint[], bigint[], int, int) set plan_cache_mode = force_generic_plan;
