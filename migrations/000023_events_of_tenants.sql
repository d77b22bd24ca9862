-- Tenants follow the events of all their scopes, and resume.
create index events_by_tenant on events (hashtextextended(tenant_id, 0), event_id) where scope_id is not null;
