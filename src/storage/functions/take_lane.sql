-- Kept for replicas of 0.1.0, which only accept beside this release: their turns count lanes where these count turns.
create or replace function take_lane(worker text, lease_ms int, most_per_tenant int)
returns table (scope_key bigint, tenant_id text, scope_id text, generation int, epoch bigint, suspects int)
language plpgsql as $$
begin
  return;
end $$;
