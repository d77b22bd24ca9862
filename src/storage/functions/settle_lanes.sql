-- Ends the leases of a turn with what was planned for each of its lanes. Decides nothing but whose plan holds: a lane must still be
-- leased, and its scope of the revision that the plan was made from; where it is null, nothing was done. All of these are written,
-- of the others nothing. `plans` has one row for each lane; the rows of `documents`, `older`, `readings`, `groups` and `events` say
-- which lane they belong to. Returns the scope keys of those that were `settled`, that have `moved` on since they were planned, and
-- that somebody else has `locked`; what is in none of these has lost its lease.
create or replace function settle_lanes(worker text, its_epoch bigint, plans json, documents json, older json, readings json,
                                        contradictions json, groups json, events json, patience_ms int)
returns json language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  wanted bigint[] := array(select lane from json_to_recordset(plans) as p (lane bigint));
  locked bigint[] := lock_scopes(wanted, patience_ms);
  settled_at timestamptz := clock_timestamp();
  leased bigint[];
  settling bigint[];
begin
  leased := array(
    select scope_key from lanes
     where scope_key = any (locked) and holder = worker and epoch = its_epoch and ready_at > settled_at for update);
  settling := array(
    select p.lane from json_to_recordset(plans) as p (lane bigint, revision bigint)
     cross join lateral (select s.revision from scopes s where s.scope_key = p.lane order by recency desc limit 1) its
     where p.lane = any (leased) and (p.revision is null or p.revision = its.revision));
  perform write_documents(settling, documents, older, settled_at);
  perform write_readings(settling, plans, readings);
  if contradictions is not null then perform write_contradictions(settling, contradictions); end if;
  if groups is not null then perform write_groups(settling, groups); end if;
  perform write_scopes(settling, plans);
  perform write_points(settling, plans);
  perform write_metrics(settling, plans, settled_at);
  perform free_lanes(settling, plans);
  if events is not null then perform append_events_of(events, settling); end if;
  return json_build_object(
    'settled', settling::text[],
    'moved', array(select lane::text from unnest(leased) lane where not lane = any (settling)),
    'locked', array(select scope_key::text from scope_names where scope_key = any (wanted) and not scope_key = any (locked)));
end $$;
