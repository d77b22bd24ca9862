-- Operators see what is paused or stopped, why, and what it holds back.
alter table tenants add column state_reason text, add column state_reason_at timestamptz;
alter table scopes add column state_reason text, add column state_reason_at timestamptz;
alter table runtime add column state_reason text, add column state_reason_at timestamptz;
create index tenants_held on tenants (tenant_id collate "C") where state <> 'running' and deleted_at is null;
create index scopes_held on scopes (tenant_id collate "C", scope_id collate "C") where state <> 'running';
create index lanes_held on lanes (tenant_id, ready_at) where held;
