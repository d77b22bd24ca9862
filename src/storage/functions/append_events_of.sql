-- Writes events, {lane, type, tenant_id, scope_id, payload} each, under the lock of the log: those of these lanes, or all where no
-- lanes are given.
create or replace function append_events_of(batch json, lanes bigint[]) returns void language plpgsql as $$
begin
  perform lock_events();
  insert into events (type, tenant_id, scope_id, payload)
  select type, tenant_id, scope_id, payload
    from json_to_recordset(batch) as item (lane bigint, type text, tenant_id text, scope_id text, payload json)
   where lanes is null or lane = any (lanes);
end $$;
