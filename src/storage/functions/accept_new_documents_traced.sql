-- Accepts new documents, in one statement and so in one round trip. `tenant_ids` and `scope_ids` have each scope once. All other
-- arrays have each document once: in `places` the place of its scope, counted from 1; in `nths` how many of its scope come before
-- it; in `chosen` whether the caller chose its id, which may be there already then; `traces` is null when none has one. It waits
-- up to `patience_ms` for a scope that is locked. A scope that stays locked, or that does not exist, keeps no other from being
-- accepted.
--
-- Returns the seq of each document, null for those that were left: their id or key is there already, or their scope is locked
-- or does not exist; for each scope whether it had nothing queued before and has now; and for each whether it is locked.
create or replace function accept_new_documents_traced(
  tenant_ids text[], scope_ids text[],
  places int[], nths int[], ids text[], chosen boolean[], states text[], event_types text[], hashes text[],
  keys text[], fingerprints text[],
  names text[], types text[], sources text[], provenances text[], texts text[], traces text[],
  patience_ms int)
returns table (seqs float8[], awakened boolean[], locked boolean[])
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  scope_keys bigint[];
  generations int[];
  firsts bigint[];
  numbers bigint[];
begin
  nths := number_new_documents(tenant_ids, scope_ids, places, nths, ids, chosen, keys);
  select * into scope_keys, generations, firsts, awakened, locked
    from count_new_documents(tenant_ids, scope_ids, places, states, nths, patience_ms);
  numbers := array(select firsts[place] + nth from unnest(places, nths) with ordinality as d (place, nth, n) order by n);
  seqs := numbers::float8[];
  return next;
  if array_remove(numbers, null) = '{}' then return; end if;

  insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, queued_at)
  select scope_keys[place], generations[place], seq, id, 1, state, decode(hash, 'base64'),
         case state when 'queued' then now() end
    from unnest(places, numbers, ids, states, hashes) as d (place, seq, id, state, hash) where seq is not null;

  insert into document_contents (scope_key, generation, seq, name, type, source, provenance, text, traceparent)
  select scope_keys[place], generations[place], seq, name, type, source, provenance, text, trace
    from unnest(places, numbers, names, types, sources, provenances, texts, traces)
      as c (place, seq, name, type, source, provenance, text, trace) where seq is not null;

  -- In one order for everybody, so that two flushes with the same keys cannot wait for each other.
  insert into idempotency_keys (tenant_id, idempotency_key, fingerprint, scope_key, generation, seq)
  select tenant_ids[place], key, decode(fingerprint, 'base64'), scope_keys[place], generations[place], seq
    from unnest(places, numbers, keys, fingerprints) as k (place, seq, key, fingerprint)
   where seq is not null and key is not null order by 1, 2;

  perform awaken_lanes(array(select key from unnest(scope_keys, awakened) as s (key, is_awake) where is_awake));

  perform write_events(tenant_ids, scope_ids, places, event_types, array(
    select case when seq is null then null
                when trace is null then json_build_object('document_id', id, 'version', 1, 'seq', seq)
                else json_build_object('document_id', id, 'version', 1, 'seq', seq, 'trace_id', substr(trace, 4, 32)) end
      from unnest(numbers, ids, traces) as e (seq, id, trace)));
end $$;
