-- Tenants of any size: deleted by a mark and then purged in pieces; and what they have, their scopes and the documents that wait
-- in them, is known without counting.

-- What is counted here must not change before the triggers below note it.
lock table scopes in share row exclusive mode;

alter table tenants
  -- From then on nothing of it is to be seen, and nothing is written for it.
  add column deleted_at timestamptz,
  -- As of the last fold; what has changed since is in tenant_changes.
  add column scopes     bigint not null default 0,
  add column backlog    bigint not null default 0;
alter table tenants set (fillfactor = 50);
create index tenants_deleted on tenants (deleted_at) where deleted_at is not null;

-- Only ever added to, so that nobody who accepts or settles waits for another: one row for each tenant would be a lock on all
-- that the tenant does. Folded into tenants and deleted a moment later. Not tied to tenants: to check that would lock their rows.
create table tenant_changes (
  tenant_id text not null,
  scopes    bigint not null,
  backlog   bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index tenant_changes_by_tenant on tenant_changes (tenant_id);

update tenants set scopes = has.scopes, backlog = has.backlog
  from (select tenant_id, count(*) as scopes, sum(queued + retrying) as backlog from scopes group by tenant_id) has
 where has.tenant_id = tenants.tenant_id;

-- By triggers, so that no way to change a scope can forget it.
create function note_tenant_changes() returns trigger language plpgsql as $$
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
create trigger scopes_inserted after insert on scopes referencing new table as scopes_after
  for each statement execute function note_tenant_changes();
create trigger scopes_updated after update on scopes referencing old table as scopes_before new table as scopes_after
  for each statement execute function note_tenant_changes();
create trigger scopes_deleted after delete on scopes referencing old table as scopes_before
  for each statement execute function note_tenant_changes();

-- Every change of what a tenant has writes an event, and so does its deletion, all of them under the one lock of the log: whoever
-- comes by it after the deletion sees the mark, and is undone. With the error that a tenant without a row would give.
create function refuse_deleted_tenants() returns trigger language plpgsql as $$
begin
  -- The first look is at an index that is empty nearly always.
  if exists (select from tenants where deleted_at is not null)
     and exists (select from tenants join added using (tenant_id)
                  where deleted_at is not null and type <> 'tenant.deleted') then
    raise foreign_key_violation using message = 'the tenant was deleted';
  end if;
  return null;
end $$;
create trigger events_of_tenants after insert on events referencing new table as added
  for each statement execute function refuse_deleted_tenants();

-- As before, for all scopes of a statement at once: a tenant's go by hundreds.
drop trigger scopes_leave_to_purge on scopes;
create or replace function leave_to_purge() returns trigger language plpgsql as $$
begin
  insert into purges (scope_key) select scope_key from scopes_before
  on conflict (scope_key) do update set generation = excluded.generation;
  return null;
end $$;
create trigger scopes_leave_to_purge after delete on scopes referencing old table as scopes_before
  for each statement execute function leave_to_purge();
create index purges_in_order on purges (since, scope_key);
