-- The version of a document that is processed, among those below one; null if none is. All below it are superseded and none above it
-- is, so a few looks are enough, however many there are of either.
create or replace function processed_version(scope bigint, its_generation int, id text, below int) returns int
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  low int := 0;
  high int := (select version + 1 from documents
                where scope_key = scope and generation = its_generation and document_id = id and version < below
                order by version desc limit 1);
  middle int;
  found_version int;
  found_state text;
begin
  while low < high loop
    middle := (low::bigint + high) / 2;
    select version, state into found_version, found_state from documents
     where scope_key = scope and generation = its_generation and document_id = id and version >= middle and version < high
     order by version limit 1;
    if found_state = 'processed' then return found_version;
    elsif found_state = 'superseded' then low := found_version + 1;
    else high := middle;
    end if;
  end loop;
  return null;
end $$;
