-- Writes events, {lane, type, tenant_id, scope_id, payload} each: those of these lanes, or all where no lanes are given. One
-- without a payload has an empty one, since write_events passes over those that have none.
create or replace function append_events_of(batch json, lanes bigint[]) returns void language plpgsql as $$
begin
  perform write_events(array_agg(tenant_id), array_agg(scope_id), null, array_agg(type), array_agg(coalesce(payload, '{}')))
     from json_to_recordset(batch) as item (lane bigint, type text, tenant_id text, scope_id text, payload json)
    where lanes is null or lane = any (lanes);
end $$;
