-- What is paused or stopped is found without a look at the rest, and so is what it holds back.
create index tenants_held on tenants (tenant_id collate "C") where state <> 'running' and deleted_at is null;
create index scopes_held on scopes (tenant_id collate "C", scope_id collate "C") where state <> 'running';
create index lanes_held on lanes (tenant_id, ready_at) where held;
