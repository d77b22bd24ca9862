-- Takes the lock of the event log. Whoever writes events takes it just before, as the last thing before the commit: ids then
-- rise in the order of commits, so that a reader who asks for "greater than the last" misses nothing.
create or replace function lock_events() returns void language sql as $$ select pg_advisory_xact_lock(7213002) $$;
