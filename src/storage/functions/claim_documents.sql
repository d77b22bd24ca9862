-- Kept for replicas of 0.1.0, which only accept beside this release: a lane that one of them still has is left to run out.
create or replace function claim_documents(lane bigint, worker text, its_epoch bigint, most int, most_bytes bigint)
returns table (seq float8, document_id text, version int, attempts int, name text, type text, text text)
language plpgsql as $$
begin
  return;
end $$;
