-- Readings say which rules made them, and those of older rules are read again in the background. All that there are may be of any.
alter table readings add column rules smallint not null default 0;
alter table contradictions add column outdated boolean not null default false;
alter table scopes add column rules smallint not null default 0;
alter table scopes add column reread_from bigint not null default 0;
alter table scopes add column reread_tries smallint not null default 0;
alter table scopes add column reread_at timestamptz not null default '-infinity';
create index scopes_to_reread on scopes (rules, tenant_id, scope_key) where state = 'running';
alter table runtime add column rereads boolean not null default true;
