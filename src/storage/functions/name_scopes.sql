-- Gives a new scope its row of names, whose keys keep the names of scopes unique, and makes no scope whose name is taken. A row of
-- scopes changes all the time: keys of its own would be looked through at each change, past all versions that an old snapshot keeps.
create or replace function name_scopes() returns trigger language plpgsql as $$
begin
  insert into scope_names (tenant_id, scope_id, scope_key) values (new.tenant_id, new.scope_id, new.scope_key)
  on conflict do nothing;
  return case when found then new end;
end $$;

create or replace trigger scopes_named before insert on scopes for each row execute function name_scopes();
