-- A scope that a replica of release 7 made or deleted between the first two statements of 000030, which did not keep it from that, and
-- the triggers that name scopes has no name, or has left one: nothing can be queued in the one, and the other cannot be made again. The
-- lock is for those of which still one runs.
lock table scopes in share row exclusive mode;
delete from scope_names n where not exists (select from scopes s where s.scope_key = n.scope_key);
insert into scope_names (tenant_id, scope_id, scope_key)
select tenant_id, scope_id, scope_key from scopes s where not exists (select from scope_names n where n.scope_key = s.scope_key)
on conflict do nothing;
