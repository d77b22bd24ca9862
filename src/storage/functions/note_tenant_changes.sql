-- Notes what a statement changed in the number of scopes and in the backlog of tenants. A trigger does this, so that no way to
-- change a scope can forget it; it adds rows instead of changing the tenant's, so that nobody waits for another.
create or replace function note_tenant_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into tenant_changes (tenant_id, scopes, backlog)
    select tenant_id, 0, sum(waiting) from (
      select tenant_id, queued + retrying as waiting from scopes_after
      union all
      select tenant_id, -(queued + retrying) from scopes_before) changed
     group by tenant_id having sum(waiting) <> 0;
  elsif tg_op = 'INSERT' then
    insert into tenant_changes (tenant_id, scopes, backlog)
    select tenant_id, count(*), sum(queued + retrying) from scopes_after group by tenant_id;
  else
    insert into tenant_changes (tenant_id, scopes, backlog)
    select tenant_id, -count(*), -sum(queued + retrying) from scopes_before group by tenant_id;
  end if;
  return null;
end $$;

create or replace trigger scopes_inserted after insert on scopes referencing new table as scopes_after
  for each statement execute function note_tenant_changes();
create or replace trigger scopes_updated after update on scopes referencing old table as scopes_before new table as scopes_after
  for each statement execute function note_tenant_changes();
create or replace trigger scopes_deleted after delete on scopes referencing old table as scopes_before
  for each statement execute function note_tenant_changes();
