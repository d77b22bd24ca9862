-- Ends a lease for reading again, run out or not, with nothing done and nobody to blame: it was no try, and the scope may be taken
-- again at once. Where somebody else has the scope locked for so long, only the lease is ended, and the try stays counted. Returns
-- whether the lease had not gone to somebody else.
create or replace function hand_back_reread(key bigint, worker text, its_epoch bigint, patience_ms int) returns boolean
language plpgsql set enable_seqscan = off as $$
declare
  locked bigint[] := lock_scopes(array[key], patience_ms);
begin
  perform from lanes where scope_key = key and holder = worker and epoch = its_epoch for update;
  if not found then return false; end if;
  if locked = '{}' then
    update lanes set holder = null, claimed_at = null, ready_at = clock_timestamp() where scope_key = key;
    return true;
  end if;
  update scopes set reread_tries = greatest(0, reread_tries - 1), reread_at = clock_timestamp() where scope_key = key;
  perform free_lanes(array[key], json_build_array(json_build_object('lane', key, 'done', 0)));
  return true;
end $$;
