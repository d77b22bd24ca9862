-- Writes events, {type, tenant_id, scope_id, payload} each, under the lock of the log. Returns the id of the transaction, by
-- which a commit whose connection broke is looked up.
create or replace function append_events(batch json) returns text language plpgsql as $$
begin
  perform append_events_of(batch, null);
  return pg_current_xact_id()::text;
end $$;
