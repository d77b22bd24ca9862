-- Leases the lane that is next: of the tenant served longest ago that has one ready and fewer than `most_per_tenant` in
-- work, the one that has waited longest. Takes are made one at a time, or two could overrun the cap together. A lease that is
-- lost in a crash of Postgres is only a batch done again, so nobody waits for it to reach the disk.
create or replace function take_lane(worker text, lease_ms int, most_per_tenant int)
returns table (scope_key bigint, tenant_id text, scope_id text, generation int, epoch bigint, suspects int)
language plpgsql as $$
#variable_conflict use_column
declare
  candidate text;
  lane lanes%rowtype;
  -- In a variable: a condition on a function that changes cannot be looked up in an index.
  moment timestamptz;
begin
  if (select state from runtime) <> 'running' then return; end if;
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(7213003);
  moment := clock_timestamp();
  for candidate in
    select turn.tenant_id from tenant_turns turn join tenants using (tenant_id)
     where turn.busy and tenants.state = 'running'
       and exists (select from lanes
                    where lanes.tenant_id = turn.tenant_id and not lanes.held and lanes.ready_at <= moment)
     order by turn.served_at
  loop
    continue when most_per_tenant <= (
      select count(*) from lanes
       where lanes.tenant_id = candidate and holder is not null and ready_at > moment);
    select * into lane from lanes
     where lanes.tenant_id = candidate and not held and ready_at <= moment
     order by ready_at limit 1 for update skip locked;
    continue when not found;

    if lane.holder is not null then
      -- Its last holder vanished. A document that it had alone is counted a failed attempt.
      lane.suspects := greatest(lane.suspects, cardinality(lane.claimed));
      if cardinality(lane.claimed) = 1 then
        update documents d set attempts = attempts + 1, error = 'The worker vanished while it processed this document.'
         where d.scope_key = lane.scope_key and d.generation = lane.generation and d.seq = lane.claimed[1]
           and d.state in ('queued', 'retrying');
      end if;
    end if;
    update tenant_turns turn set served_at = clock_timestamp() where turn.tenant_id = candidate;
    return query
      update lanes set holder = worker, epoch = nextval('lane_epochs'), claimed = '{}', claimed_at = null,
                       suspects = lane.suspects, ready_at = clock_timestamp() + lease_ms * interval '1 ms'
       where lanes.scope_key = lane.scope_key
      returning lanes.scope_key, lanes.tenant_id, lanes.scope_id, lanes.generation, lanes.epoch, lanes.suspects;
    return;
  end loop;
end $$;
