-- Kept for replicas of 0.1.0, whose decisions answer 503.
create or replace function note_point(scope bigint, point json, new_status text, events json) returns text language plpgsql as $$
begin
  raise 'A newer release is being rolled out; ask one of its replicas.' using errcode = 'cannot_connect_now';
end $$;
