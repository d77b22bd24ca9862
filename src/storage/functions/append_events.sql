-- Writes events, {type, tenant_id, scope_id, payload} each, under the lock of the log. Returns the id of the transaction, by
-- which a commit whose connection broke is looked up.
create or replace function append_events(batch json) returns text language plpgsql as $$
begin
  perform lock_events();
  insert into events (type, tenant_id, scope_id, payload)
  select type, tenant_id, scope_id, payload
    from json_to_recordset(batch) as item (type text, tenant_id text, scope_id text, payload json);
  return pg_current_xact_id()::text;
end $$;
