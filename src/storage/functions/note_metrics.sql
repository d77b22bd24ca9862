-- Counts what a batch finished into the slot of this moment, which is emptied first when it was last used for another time. It
-- uses loops, since a query for each histogram took longer than all the rest of a small batch.
create or replace function note_metrics(scope bigint, claimed_at timestamptz, settled_at timestamptz, queued_since timestamptz[],
                             n_processed int, n_failed int, n_retried int) returns void language plpgsql as $$
declare
  begins timestamptz := to_timestamp(floor(date_part('epoch', settled_at) / 300) * 300);
  its_slot smallint := (floor(date_part('epoch', settled_at) / 300)::bigint % 4)::smallint;
  waits int[];
  works int[];
  totals int[];
  since timestamptz;
  at int;
begin
  select waiting, processing, total into waits, works, totals from scope_metrics
   where scope_key = scope and slot = its_slot and starts_at = begins;
  if not found then
    waits := array_fill(0, array[108]);
    works := waits;
    totals := waits;
  end if;
  at := latency_bucket(claimed_at, settled_at);
  works[at] := works[at] + coalesce(cardinality(queued_since), 0);
  foreach since in array coalesce(queued_since, '{}') loop
    at := latency_bucket(since, claimed_at);
    waits[at] := waits[at] + 1;
    at := latency_bucket(since, settled_at);
    totals[at] := totals[at] + 1;
  end loop;
  insert into scope_metrics as m
    values (scope, its_slot, begins, n_processed, n_failed, n_retried, waits, works, totals)
  on conflict (scope_key, slot) do update
     set processed = n_processed + case when m.starts_at = begins then m.processed else 0 end,
         failed = n_failed + case when m.starts_at = begins then m.failed else 0 end,
         retried = n_retried + case when m.starts_at = begins then m.retried else 0 end,
         starts_at = begins, waiting = waits, processing = works, total = totals;
end $$;
