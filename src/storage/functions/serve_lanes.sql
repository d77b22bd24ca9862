-- Leases these lanes as lease_lanes does, and puts the tenants of those that it has leased at the back of the line, in the order of
-- their lanes. A tenant whose lanes were all left, for want of bytes, keeps its place and is the next: else it would stand behind
-- those that took the bytes, turn after turn.
create or replace function serve_lanes(picked bigint[], worker text, moment timestamptz, lease_ms int, most_documents int, most_bytes bigint)
returns json language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  turn json := lease_lanes(picked, worker, moment, lease_ms, most_documents, most_bytes);
  back timestamptz := clock_timestamp();
  served text[] := array(
    select l.tenant_id from unnest(picked) with ordinality as p (scope_key, nth)
     cross join lateral (select tenant_id, epoch from lanes where lanes.scope_key = p.scope_key limit 1) l
     -- The one that lease_lanes has just made.
     where l.epoch = currval('lane_epochs') group by 1 order by min(p.nth));
begin
  update tenant_turns set served_at = back + array_position(served, tenant_id) * interval '1 microsecond'
   where tenant_id = any (served);
  return turn;
end $$;
