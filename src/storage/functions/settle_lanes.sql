-- Settles the batches of a turn, {lane, results, findings} each. Returns {lane, batch} for those whose lease still holds, the batch
-- as settle_batch gives it, and null for it where somebody else has the scope locked.
create or replace function settle_lanes(worker text, its_epoch bigint, batches json, patience_ms int) returns json
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  wanted bigint[] := array(select lane from json_to_recordset(batches) as b (lane bigint));
  locked bigint[] := lock_scopes(wanted, patience_ms);
  item record;
  batch record;
  settled json[] := array(
    select json_build_object('lane', scope_key::text, 'batch', null) from scopes
     where scope_key = any (wanted) and not scope_key = any (locked));
begin
  for item in
    select b.* from unnest(locked) with ordinality as l (lane, nth)
      join json_to_recordset(batches) as b (lane bigint, results json, findings json) using (lane) order by l.nth
  loop
    select * into batch from settle_batch(item.lane, worker, its_epoch, item.results, item.findings);
    if found then
      settled := settled || json_build_object('lane', item.lane::text, 'batch', row_to_json(batch));
    end if;
  end loop;
  return to_json(settled);
end $$;
