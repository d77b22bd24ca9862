-- Writes events, {type, tenant_id, scope_id, payload} each, one at least, under the lock of the log. Returns what tells whether this
-- transaction was committed when its connection broke: its id, and the last of its events. The id alone does not: after a crash
-- Postgres gives ids of lost transactions to others.
create or replace function append_witnessed_events(batch json, out xid text, out event_id bigint, out ts text)
language plpgsql as $$
begin
  perform append_events_of(batch, null);
  xid := pg_current_xact_id()::text;
  event_id := currval(pg_get_serial_sequence('events', 'event_id'));
  select e.ts::text into ts from events e where e.event_id = append_witnessed_events.event_id;
end $$;
