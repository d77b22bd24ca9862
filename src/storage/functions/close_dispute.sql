-- Kept for replicas of 0.1.0, which do not move the revision of a scope on: their decisions answer 503.
create or replace function close_dispute(scope bigint, its_generation int, id text) returns void language plpgsql as $$
begin
  raise 'A newer release is being rolled out; ask one of its replicas.' using errcode = 'cannot_connect_now';
end $$;
