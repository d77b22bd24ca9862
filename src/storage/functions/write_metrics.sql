-- Counts what these batches finished into the slot of this moment, which is emptied first when it was last used for another time.
-- `waited`, `worked` and `took` name a bucket of a histogram for each document that is done.
create or replace function write_metrics(settling bigint[], plans json, settled_at timestamptz) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  its_slot smallint := (floor(date_part('epoch', settled_at) / 300)::bigint % 4)::smallint;
  begins timestamptz := to_timestamp(floor(date_part('epoch', settled_at) / 300) * 300);
  nothing int[] := array_fill(0, array[108]);
begin
  insert into scope_metrics as m (scope_key, slot, starts_at, processed, failed, retried, waiting, processing, total)
  select now.lane, its_slot, begins, now.succeeded + coalesce(so_far.processed, 0), now.broken + coalesce(so_far.failed, 0),
         now.retried + coalesce(so_far.retried, 0), count_places(coalesce(so_far.waiting, nothing), now.waited),
         count_places(coalesce(so_far.processing, nothing), now.worked), count_places(coalesce(so_far.total, nothing), now.took)
    from json_to_recordset(plans)
           as now (lane bigint, succeeded int, broken int, retried int, waited int[], worked int[], took int[])
    left join lateral (
      select * from scope_metrics m
       where m.scope_key = now.lane and m.slot = its_slot and m.starts_at = begins limit 1) so_far on true
   where now.lane = any (settling) and now.waited is not null
   order by now.lane
  on conflict (scope_key, slot) do update
     set starts_at = excluded.starts_at, processed = excluded.processed, failed = excluded.failed, retried = excluded.retried,
         waiting = excluded.waiting, processing = excluded.processing, total = excluded.total;
end $$;
