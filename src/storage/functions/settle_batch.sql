-- Kept for replicas of 0.1.0, which only accept beside this release: to them every lease is lost.
create or replace function settle_batch(lane bigint, worker text, its_epoch bigint, results json, findings json)
returns table (processed int, failed int, retried int, superseded int, more boolean, events json, found json)
language plpgsql as $$
begin
  return;
end $$;
