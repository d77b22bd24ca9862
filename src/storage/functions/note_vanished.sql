-- Of a lane whose last holder vanished: what that one had is to be taken one at a time, and a document that it had alone is
-- counted a failed attempt. Returns how many documents of the lane are suspect.
create or replace function note_vanished(lane lanes) returns int language plpgsql set enable_seqscan = off as $$
begin
  if lane.holder is null then return lane.suspects; end if;
  if cardinality(lane.claimed) = 1 then
    update documents d set attempts = attempts + 1, error = 'The worker vanished while it processed this document.'
     where d.scope_key = lane.scope_key and d.generation = lane.generation and d.seq = lane.claimed[1]
       and d.state in ('queued', 'retrying');
  end if;
  update lanes set suspects = greatest(suspects, cardinality(claimed)) where scope_key = lane.scope_key;
  return greatest(lane.suspects, cardinality(lane.claimed));
end $$;
