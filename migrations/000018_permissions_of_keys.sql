-- The keys of a tenant may have fewer permissions and be limited to some scopes. Those that there are may do everything.
alter table api_keys add column permissions text[];
alter table api_keys add column scope_ids text[];
alter table api_keys add column replaced_by text;
alter table api_keys add constraint api_keys_permissions_check
  check (permissions <@ array['ingest', 'read', 'delete', 'decide'] and cardinality(permissions) between 1 and 3);
alter table api_keys add constraint api_keys_scope_ids_check check (cardinality(scope_ids) between 1 and 100);
alter table api_keys add constraint api_keys_narrowed_check
  check (tier = 'tenant' or (permissions is null and scope_ids is null));
create index api_keys_narrowed on api_keys (tenant_id)
  where (permissions is not null or scope_ids is not null) and revoked_at is null;
