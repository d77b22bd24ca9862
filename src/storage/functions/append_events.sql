-- Kept for replicas of the release before, which look up a commit by the id of its transaction alone: for the rest it is
-- append_witnessed_events. Writes events, {type, tenant_id, scope_id, payload} each, under the lock of the log.
create or replace function append_events(batch json) returns text language plpgsql as $$
begin
  perform append_events_of(batch, null);
  return pg_current_xact_id()::text;
end $$;
