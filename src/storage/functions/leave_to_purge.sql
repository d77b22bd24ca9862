-- Notes scopes that were deleted, by whoever: what they leave behind in tables without a foreign key is purged in pieces. Their names
-- are free again, and take with them what refers to them. It takes all scopes of a statement at once, since those of a tenant go by
-- hundreds.
create or replace function leave_to_purge() returns trigger language plpgsql as $$
begin
  delete from scope_names n using scopes_before s where n.tenant_id = s.tenant_id and n.scope_id = s.scope_id;
  insert into purges (scope_key) select scope_key from scopes_before
  on conflict (scope_key) do update set generation = excluded.generation;
  return null;
end $$;

create or replace trigger scopes_leave_to_purge after delete on scopes referencing old table as scopes_before
  for each statement execute function leave_to_purge();
