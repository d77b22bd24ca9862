-- Sends documents that have failed back to the queue, with all their attempts before them: those that are still there, of the
-- generation that their scope is of, and still failed when their scope is locked, so that whoever comes second does nothing. Plans
-- that were made before are made again, since one of them may be below a version in work. A scope that somebody else has locked for
-- so long over all is left: `left_out` says that there are such. Returns what was sent, and the scopes that had no work.
create or replace function retry_documents(keys bigint[], generations int[], seqs bigint[], patience_ms int)
returns json language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  locked bigint[] := lock_scopes(array(select distinct unnest(keys)), patience_ms);
  live bigint[] := array(
    select scope_key from scope_names s join tenants t using (tenant_id) where s.scope_key = any (locked) and t.deleted_at is null);
  documents json;
  idle json;
  awakened bigint[];
begin
  with wanted as materialized (
    select its.place
      from unnest(keys, generations, seqs) as w (scope_key, generation, seq)
     cross join lateral (select s.generation from scopes s where s.scope_key = w.scope_key order by recency desc limit 1) s
     cross join lateral (
       select d.ctid as place, d.state from documents d
        where d.scope_key = w.scope_key and d.generation = w.generation and d.seq between w.seq and w.seq
        order by d.seq limit 1) its
     where w.scope_key = any (live) and s.generation = w.generation and its.state = 'failed'
  ), sent as (
    update documents d set state = 'queued', queued_at = now(), attempts = 0, error = null, finished_at = null
     where d.ctid = any (array(select place from wanted))
    returning d.scope_key, d.document_id, d.version, d.seq
  ), counted as (
    update scopes s
       set failed = s.failed - its.documents, queued = s.queued + its.documents,
           queued_from = least(s.queued_from, its.first), revision = s.revision + 1
      from (select scope_key, count(*) as documents, min(seq) as first from sent group by 1) its
     where s.scope_key = any (live) and s.scope_key = its.scope_key
    returning s.scope_key, s.tenant_id, s.scope_id, s.queued = its.documents as was_idle
  )
  select (select json_agg(json_build_array(tenant_id, scope_id, document_id, version, seq) order by tenant_id, scope_id, seq)
            from sent join counted using (scope_key)),
         (select json_agg(json_build_object('tenant_id', tenant_id, 'scope_id', scope_id)) from counted where was_idle),
         array(select scope_key from counted where was_idle)
    into documents, idle, awakened;
  perform awaken_lanes(awakened);
  return json_build_object(
    'documents', coalesce(documents, '[]'), 'awakened', coalesce(idle, '[]'),
    'left_out', exists (select from scope_names where scope_key = any (keys) and not scope_key = any (locked)));
end $$;
