-- What streams need of the event log: to find a scope's events, and to forget old ones.

-- For those who resume: a scope's events after an id, without reading past everybody else's. A hash, since it is a
-- quarter of the names' size, and every document that is accepted writes one.
create index events_by_scope on events (hashtextextended(tenant_id || ' ' || scope_id, 0), event_id)
  where scope_id is not null;

-- One row: up to which id the log was trimmed.
create table event_log (
  only_one       boolean primary key default true check (only_one),
  trimmed_up_to  bigint not null default 0
);
insert into event_log default values;
