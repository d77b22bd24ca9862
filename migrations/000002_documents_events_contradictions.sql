-- Documents and what is counted of them, the event log, idempotency keys, contradictions.

-- Limits of one tenant that differ from the configuration's: {"rate_per_s", "burst", "backlog"}.
alter table tenants add column limits jsonb not null default '{}';

-- Counters are kept in the transaction of each change, so that no answer counts documents. The scope's row is also the
-- lock under which its documents get their seq. Room on the page keeps the frequent updates from moving the row.
alter table scopes
  add column scope_key  bigint generated always as identity unique,
  add column generation int not null default 1,
  add column next_seq   bigint not null default 0,
  add column pending    bigint not null default 0,
  add column queued     bigint not null default 0,
  add column processing bigint not null default 0,
  add column processed  bigint not null default 0,
  add column failed     bigint not null default 0,
  add column superseded bigint not null default 0,
  add column contradictions_open     bigint not null default 0,
  add column contradictions_resolved bigint not null default 0,
  add column contradictions_deferred bigint not null default 0;
alter table scopes set (fillfactor = 50);

-- No foreign key leads here: a scope is deleted by its row alone, and what it leaves is purged in pieces.
create table documents (
  scope_key      bigint not null,
  generation     int not null,
  seq            bigint not null,
  document_id    text not null,
  version        int not null,
  state          text not null check (state in ('pending', 'queued', 'processing', 'processed', 'failed', 'superseded')),
  attempts       smallint not null default 0,
  content_sha256 bytea not null,
  error          text,
  accepted_at    timestamptz not null default now(),
  queued_at      timestamptz,
  started_at     timestamptz,
  finished_at    timestamptz,
  primary key (scope_key, generation, seq),
  unique (scope_key, generation, document_id, version)
) with (fillfactor = 80);
-- For lists of one state, and for taking what is queued in its order.
create index documents_by_state on documents (scope_key, generation, state, seq);

-- What never changes, apart from the row that does.
create table document_contents (
  scope_key  bigint not null,
  generation int not null,
  seq        bigint not null,
  name       text not null,
  type       text not null,
  source     text,
  provenance text,
  text       text,
  primary key (scope_key, generation, seq)
);
-- Compressing costs more time than the space is worth, and so does moving a page's worth of text to a second table.
alter table document_contents alter column text set storage external;
alter table document_contents set (toast_tuple_target = 8160);

create table idempotency_keys (
  tenant_id       text not null,
  idempotency_key text not null,
  fingerprint     bytea not null,
  scope_key       bigint not null,
  generation      int not null,
  seq             bigint not null,
  primary key (tenant_id, idempotency_key)
);
create index idempotency_keys_by_document on idempotency_keys (scope_key, generation, seq);

create table contradictions (
  contradiction_id text primary key,
  ordinal          bigint generated always as identity,
  scope_key        bigint not null,
  generation       int not null,
  pair_sha256      bytea not null,
  claim_a          text not null,
  claim_b          text not null,
  source_a         text,
  source_b         text,
  document_ids     text[] not null,
  subject          text,
  attribute        text,
  severity         text not null check (severity in ('low', 'medium', 'critical')),
  status           text not null default 'open' check (status in ('open', 'resolved', 'deferred')),
  origin           text not null check (origin in ('detected', 'reported')),
  reason           text,
  resolution       text,
  resolved_by      text,
  resolved_at      timestamptz,
  created_at       timestamptz not null default now(),
  unique (scope_key, generation, pair_sha256)
);
create index contradictions_in_order on contradictions (scope_key, generation, ordinal);
create index contradictions_by_status on contradictions (scope_key, generation, status, ordinal);

create table events (
  event_id   bigint generated always as identity primary key,
  ts         timestamptz not null default clock_timestamp(),
  type       text not null,
  tenant_id  text,
  scope_id   text,
  payload    json not null
);

-- Taken by whoever writes events, just before they do and as the last thing before commit: ids then rise in the order of
-- commits, so that a reader who asks for "greater than the last" misses nothing.
create function lock_events() returns void language sql as $$ select pg_advisory_xact_lock(7213002) $$;

-- Writes events. Returns the transaction's id, by which a commit whose connection broke is looked up.
create function append_events(batch json) returns text language plpgsql as $$
begin
  perform lock_events();
  insert into events (type, tenant_id, scope_id, payload)
  select type, tenant_id, scope_id, payload
    from json_to_recordset(batch) as item (type text, tenant_id text, scope_id text, payload json);
  return pg_current_xact_id()::text;
end $$;

-- Scopes that are gone and have left rows behind, whoever deleted them.
create table purges (
  scope_key bigint primary key,
  since     timestamptz not null default now()
);

create function leave_to_purge() returns trigger language plpgsql as $$
begin
  insert into purges (scope_key) values (old.scope_key);
  return null;
end $$;

create trigger scopes_leave_to_purge after delete on scopes for each row execute function leave_to_purge();

-- Accepts documents that are new for certain, in one statement and so in one round trip: on a busy event loop each
-- further one waits for its turn. `wanted` has each scope once, its place `at` counted from 1: {at, tenant_id, scope_id,
-- documents, pending, queued}; `rows` and `contents` have each document, as the k-th of the scope `at`. Returns for each
-- scope where its numbers begin, and whether it had nothing queued before. Arrays by place, because joins to JSON cost more.
create function accept_new_documents(wanted json, rows json, contents json)
returns table (first_seqs float8[], awakened boolean[]) language plpgsql as $$
declare
  tenants text[];
  names text[];
  keys bigint[];
  generations int[];
  firsts bigint[];
  awake boolean[];
begin
  -- Locked in one order for everybody, so that two flushes cannot wait for each other.
  with locked as materialized (
    select w.*, scope_key, generation, next_seq, s.queued as queued_before
      from json_to_recordset(wanted)
             as w (at int, tenant_id text, scope_id text, documents int, pending int, queued int)
      join scopes s using (tenant_id, scope_id)
     order by tenant_id, scope_id for no key update of s
  ), bumped as (
    update scopes s set next_seq = s.next_seq + l.documents, pending = s.pending + l.pending, queued = s.queued + l.queued
      from locked l where s.scope_key = l.scope_key
  )
  select array_agg(tenant_id order by at), array_agg(scope_id order by at), array_agg(scope_key order by at),
         array_agg(generation order by at), array_agg(next_seq order by at),
         array_agg(queued > 0 and queued_before = 0 order by at)
    into tenants, names, keys, generations, firsts, awake
    from locked;
  if coalesce(cardinality(keys), 0) < json_array_length(wanted) then
    raise exception 'a scope is missing' using errcode = 'no_data_found';
  end if;

  insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, queued_at)
  select keys[at], generations[at], firsts[at] + k, document_id, 1, state, decode(content_sha256, 'base64'),
         case state when 'queued' then now() end
    from json_to_recordset(rows) as r (at int, k int, document_id text, state text, content_sha256 text);

  insert into document_contents (scope_key, generation, seq, name, type, source, provenance, text)
  select keys[at], generations[at], firsts[at] + k, name, type, source, provenance, text
    from json_to_recordset(contents) as c (at int, k int, name text, type text, source text, provenance text, text text);

  perform lock_events();
  insert into events (type, tenant_id, scope_id, payload)
  select case state when 'queued' then 'document.queued' else 'document.accepted' end, tenants[at], names[at],
         json_build_object('document_id', document_id, 'version', 1, 'seq', firsts[at] + k)
    from json_to_recordset(rows) as r (at int, k int, document_id text, state text);

  return query select firsts::float8[], awake;
end $$;
