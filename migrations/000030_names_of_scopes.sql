-- While somebody holds an old snapshot (pg_dump, a report), each change of a scope's row leaves a version behind that whoever looks
-- for the row walks past, and whatever checks that it is the only one does so, too. The names of scopes have a table of their own
-- now, whose rows never change: it keeps them unique, and is what others refer to. Versions of a row of scopes are told apart by
-- recency, so that the newest is found first.
create table scope_names (
  tenant_id text not null,
  scope_id  text not null,
  scope_key bigint not null,
  primary key (tenant_id, scope_id)
);
insert into scope_names (tenant_id, scope_id, scope_key) select tenant_id, scope_id, scope_key from scopes;
alter table scope_names add constraint scope_names_scope_key_key unique (scope_key);

alter table convergence_points drop constraint convergence_points_scope_key_fkey;
alter table lanes drop constraint lanes_scope_key_fkey;
alter table scope_metrics drop constraint scope_metrics_scope_key_fkey;
alter table convergence_points add foreign key (scope_key) references scope_names (scope_key) on delete cascade;
alter table lanes add foreign key (scope_key) references scope_names (scope_key) on delete cascade;
alter table scope_metrics add foreign key (scope_key) references scope_names (scope_key) on delete cascade;

alter table scopes drop constraint scopes_pkey;
alter table scopes drop constraint scopes_scope_key_key;
alter table scopes add column recency int not null default 0;
create index scopes_by_name on scopes (tenant_id, scope_id, recency);
create index scopes_by_key on scopes (scope_key, recency);
