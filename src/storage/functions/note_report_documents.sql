-- Notes which documents a report names, so that it is found by them. A trigger does this, so that no way
-- to report one can forget it.
create or replace function note_report_documents() returns trigger language plpgsql as $$
begin
  insert into report_documents (scope_key, generation, document_hash, ordinal)
  select distinct new.scope_key, new.generation, hashtextextended(id, 0), new.ordinal from unnest(new.document_ids) as id;
  return null;
end $$;

create or replace trigger contradiction_reported after insert on contradictions
  for each row when (new.origin = 'reported') execute function note_report_documents();
