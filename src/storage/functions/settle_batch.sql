-- Ends a lease with what became of its documents, `results`: {seq, tried, error, retry_ms}, the error null for what succeeded,
-- retry_ms null when there is to be no further attempt; and with what they say, `findings` (see settle_findings). All of it
-- happens or, when the lease is no longer held, none; then no row is returned. Otherwise it returns how many documents became
-- what, whether the tenant has a lane that is ready now, what became of contradictions, and the events of the documents. Those
-- are left to whoever commits, because the lock of the log comes last.
--
-- Documents are looked up as in claim_documents, by their whole keys and with one plan for all batches, and are changed by
-- their place. What this function calls is planned in the same way.
create or replace function settle_batch(lane bigint, worker text, its_epoch bigint, results json, findings json)
returns table (processed int, failed int, retried int, superseded int, more boolean, events json, found json)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
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
