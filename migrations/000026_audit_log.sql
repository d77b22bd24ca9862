-- Who changed what. Rows are only ever added, and outlive what they tell of: no foreign key leads anywhere.
create table audit_log (
  audit_id   bigint generated always as identity primary key,
  at         timestamptz(3) not null,
  action     text not null,
  actor_kind text not null check (actor_kind in ('operator', 'tenant', 'bootstrap', 'command line', 'service')),
  actor      text not null,
  label      text,
  tenant_id  text,
  scope_id   text,
  subject    text,
  before     jsonb,
  after      jsonb,
  address    text,
  request_id text
);
create index audit_log_by_time on audit_log (at, audit_id);
create index audit_log_by_tenant on audit_log (tenant_id, at, audit_id);
create index audit_log_by_actor on audit_log (actor, at, audit_id);
create index audit_log_by_action on audit_log (action, at, audit_id);
