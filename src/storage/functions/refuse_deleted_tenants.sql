-- Undoes what is written for a tenant that was deleted. Every change of what a tenant has writes an event, and so does its
-- deletion, all of them under the one lock of the log: whoever comes by it after the deletion sees the mark, and is undone. The
-- error is the one that a tenant without a row would give.
create or replace function refuse_deleted_tenants() returns trigger language plpgsql as $$
begin
  -- The first look is at an index that is empty nearly always.
  if exists (select from tenants where deleted_at is not null)
     and exists (select from tenants join added using (tenant_id)
                  where deleted_at is not null and type <> 'tenant.deleted') then
    raise foreign_key_violation using message = 'the tenant was deleted';
  end if;
  return null;
end $$;

create or replace trigger events_of_tenants after insert on events referencing new table as added
  for each statement execute function refuse_deleted_tenants();
