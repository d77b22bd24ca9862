-- Makes the tables of a new database, as the numbered files leave them in one that was upgraded. schema.sql shows the same with
-- what each table and column is for; those explanations are in comments.sql. Columns stand in the order in which upgrades have
-- added them, because a row type has them in that order.

create table tenants (
  tenant_id       text primary key,
  ordinal         bigint generated always as identity unique,
  name            text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  limits          jsonb not null default '{}',
  state           text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  state_set_by    text,
  state_set_at    timestamptz,
  deleted_at      timestamptz,
  scopes          bigint not null default 0,
  backlog         bigint not null default 0,
  state_reason    text,
  state_reason_at timestamptz
) with (fillfactor = 50);
create index tenants_deleted on tenants (deleted_at) where deleted_at is not null;
create index tenants_held on tenants (tenant_id collate "C") where state <> 'running' and deleted_at is null;

create table tenant_changes (
  tenant_id text not null,
  scopes    bigint not null,
  backlog   bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index tenant_changes_by_tenant on tenant_changes (tenant_id);

create table api_keys (
  key_prefix   text primary key,
  ordinal      bigint generated always as identity,
  sha256       bytea not null check (octet_length(sha256) = 32),
  tier         text not null check (tier in ('tenant', 'admin', 'internals', 'admin_reader', 'internals_reader')),
  tenant_id    text references tenants on delete cascade,
  label        text,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  permissions  text[],
  scope_ids    text[],
  replaced_by  text,
  check ((tier = 'tenant') = (tenant_id is not null)),
  constraint api_keys_permissions_check
    check (permissions <@ array['ingest', 'read', 'delete', 'decide'] and cardinality(permissions) between 1 and 3),
  constraint api_keys_scope_ids_check check (cardinality(scope_ids) between 1 and 100),
  constraint api_keys_narrowed_check check (tier = 'tenant' or (permissions is null and scope_ids is null))
);
create index api_keys_by_tenant on api_keys (tenant_id, ordinal);
create index api_keys_narrowed on api_keys (tenant_id)
  where (permissions is not null or scope_ids is not null) and revoked_at is null;

create table scope_names (
  tenant_id text not null,
  scope_id  text not null,
  scope_key bigint not null unique,
  primary key (tenant_id, scope_id)
);

create table scopes (
  tenant_id               text not null references tenants on delete cascade,
  scope_id                text not null,
  name                    text not null,
  state                   text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  created_at              timestamptz not null default now(),
  scope_key               bigint generated always as identity,
  generation              int not null default 1,
  next_seq                bigint not null default 0,
  pending                 bigint not null default 0,
  queued                  bigint not null default 0,
  retrying                bigint not null default 0,
  processed               bigint not null default 0,
  failed                  bigint not null default 0,
  superseded              bigint not null default 0,
  contradictions_open     bigint not null default 0,
  contradictions_resolved bigint not null default 0,
  contradictions_deferred bigint not null default 0,
  registered              bigint not null default 0,
  state_set_by            text,
  state_set_at            timestamptz,
  queued_from             bigint not null default 0,
  claims                  bigint not null default 0,
  groups                  bigint not null default 0,
  groups_shared           bigint not null default 0,
  groups_disputed         bigint not null default 0,
  contradictions_critical bigint not null default 0,
  points                  bigint not null default 0,
  convergence             text not null default 'empty',
  revision                bigint not null default 0,
  removed_at              bigint not null default 0,
  filed_up_to             bigint not null default -1,
  contradictions_left_out bigint not null default 0,
  contradictions_reported bigint not null default 0,
  rules                   smallint not null default 0,
  reread_from             bigint not null default 0,
  reread_tries            smallint not null default 0,
  reread_at               timestamptz not null default '-infinity',
  state_reason            text,
  state_reason_at         timestamptz,
  recency                 int not null default 0,
  keys_filed_up_to        bigint
) with (fillfactor = 50);
create index scopes_by_name on scopes (tenant_id, scope_id, recency);
create index scopes_by_key on scopes (scope_key, recency);
create index scopes_to_reread on scopes (rules, tenant_id, scope_key) where state = 'running';
create index scopes_held on scopes (tenant_id collate "C", scope_id collate "C") where state <> 'running';

create table documents (
  scope_key      bigint not null,
  generation     int not null,
  seq            bigint not null,
  document_id    text not null,
  version        int not null,
  state          text not null
    check (state in ('registered', 'pending', 'queued', 'retrying', 'processed', 'failed', 'superseded')),
  attempts       smallint not null default 0,
  content_sha256 bytea not null,
  error          text,
  accepted_at    timestamptz not null default now(),
  queued_at      timestamptz,
  started_at     timestamptz,
  finished_at    timestamptz,
  not_before     timestamptz,
  claims         int,
  warnings       text[],
  primary key (scope_key, generation, seq),
  unique (scope_key, generation, document_id, version)
) with (fillfactor = 80);
create index documents_by_state on documents (scope_key, generation, state, seq);
create index documents_to_retry on documents (scope_key, generation, not_before) where state = 'retrying';
create index documents_failed on documents (finished_at, scope_key, generation, seq) where state = 'failed';
create index documents_failed_by_error on documents
  (left(coalesce(error, ''), 50) collate "C", finished_at, scope_key, generation, seq) where state = 'failed';

create table document_contents (
  scope_key  bigint not null,
  generation int not null,
  seq        bigint not null,
  name       text not null,
  type       text not null,
  source     text,
  provenance text,
  text       text,
  traceparent text,
  primary key (scope_key, generation, seq)
) with (toast_tuple_target = 8160);
alter table document_contents alter column text set storage external;

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

create table readings (
  scope_key     bigint not null,
  generation    int not null,
  seq           bigint not null,
  document_id   text not null,
  document_hash bigint not null,
  claims        text not null,
  keys          bigint[] not null,
  groups        bigint[] not null,
  group_values  bigint[] not null,
  revision      bigint not null default 0,
  rules         smallint not null default 0,
  pieces        bytea,
  piece_ends    int[],
  sketch        smallint[],
  primary key (scope_key, generation, seq)
);
alter table readings alter column pieces set storage external;

create table claim_keys (
  scope_key     bigint not null,
  generation    int not null,
  key           bigint not null,
  document_hash bigint not null,
  seq           bigint not null,
  primary key (scope_key, generation, key, document_hash, seq)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 20000);

create table claim_groups (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  documents  int not null,
  disputes   int not null default 0,
  leader     bigint,
  changed_at bigint,
  varied     boolean,
  words      text[],
  said_at    timestamptz,
  decided    boolean not null default false,
  primary key (scope_key, generation, group_key)
) with (fillfactor = 80);
create index claim_groups_changed on claim_groups (scope_key, generation, changed_at) where changed_at is not null;
create index claim_groups_in_order on claim_groups
  (scope_key, generation, (case when disputes > 0 and not decided then 'disputed' when varied then 'varied' else 'agreed' end),
   (-documents), group_key)
  where documents > 1 and words is not null;

create table claim_values (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  value_key  bigint not null,
  documents  int not null,
  primary key (scope_key, generation, group_key, value_key)
);
create index claim_values_leading on claim_values (scope_key, generation, group_key, documents desc, value_key)
  where documents > 1;

create table claim_evidence (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  value_key  bigint not null,
  seq        bigint not null,
  primary key (scope_key, generation, group_key, value_key, seq)
);

create table fact_words (
  scope_key  bigint not null,
  generation int not null,
  word       text collate "C" not null,
  group_key  bigint not null,
  primary key (scope_key, generation, word, group_key)
);

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
  status           text not null default 'open' check (status in ('open', 'resolved', 'deferred', 'left_out')),
  origin           text not null check (origin in ('detected', 'reported')),
  reason           text,
  resolution       text,
  resolved_by      text,
  resolved_at      timestamptz,
  created_at       timestamptz not null default now(),
  document_a       text,
  document_b       text,
  seq_a            bigint,
  seq_b            bigint,
  span_a           int[],
  span_b           int[],
  group_a          bigint,
  group_b          bigint,
  value_a          bigint,
  value_b          bigint,
  upheld           text check (upheld in ('a', 'b')),
  precedence       bigint,
  places           smallint not null default 15,
  outdated         boolean not null default false,
  unique (scope_key, generation, pair_sha256),
  constraint contradictions_with_sides
    check ((origin = 'detected') = (num_nulls(seq_a, seq_b, span_a, span_b, group_a, group_b, value_a, value_b) = 0))
);
create index contradictions_in_order on contradictions (scope_key, generation, ordinal) where status <> 'left_out';
create index contradictions_by_side_a on contradictions (scope_key, generation, seq_a, precedence) where origin = 'detected';
create index contradictions_by_side_b on contradictions (scope_key, generation, seq_b, precedence) where origin = 'detected';
create index contradictions_by_fact_a on contradictions (scope_key, generation, group_a, precedence)
  where origin = 'detected' and places & 3 = 3;
create index contradictions_by_fact_b on contradictions (scope_key, generation, group_b, precedence)
  where origin = 'detected' and places & 3 = 3;
create index contradictions_by_severity on contradictions (scope_key, generation, severity, status, ordinal)
  where status <> 'left_out';
create index contradictions_by_subject on contradictions (scope_key, generation, hashtextextended(subject, 0), ordinal)
  where status <> 'left_out' and subject is not null;
create index contradictions_by_document_a on contradictions (scope_key, generation, hashtextextended(document_a, 0), ordinal)
  where status <> 'left_out' and origin = 'detected';
create index contradictions_by_document_b on contradictions (scope_key, generation, hashtextextended(document_b, 0), ordinal)
  where status <> 'left_out' and origin = 'detected';
create index contradictions_settled_a on contradictions (scope_key, generation, group_a, value_a)
  where origin = 'detected' and status = 'resolved';
create index contradictions_settled_b on contradictions (scope_key, generation, group_b, value_b)
  where origin = 'detected' and status = 'resolved';

create table report_documents (
  scope_key     bigint not null,
  generation    int not null,
  document_hash bigint not null,
  ordinal       bigint not null,
  primary key (scope_key, generation, document_hash, ordinal)
);

create table convergence_points (
  scope_key     bigint not null references scope_names (scope_key) on delete cascade,
  point         bigint not null,
  at            timestamptz not null default clock_timestamp(),
  agreement     float8 not null,
  coverage      float8 not null,
  stability     float8 not null,
  corroboration float8 not null,
  score         float8 not null,
  disagreement  float8 not null,
  primary key (scope_key, point)
);

create table lanes (
  scope_key  bigint primary key references scope_names (scope_key) on delete cascade,
  tenant_id  text not null,
  scope_id   text not null,
  generation int not null,
  held       boolean not null,
  ready_at   timestamptz not null,
  holder     text,
  epoch      bigint not null default 0,
  claimed    bigint[] not null default '{}',
  claimed_at timestamptz,
  suspects   int not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index lanes_by_turn on lanes (tenant_id, ready_at) where not held;
create index lanes_in_work on lanes (tenant_id) where holder is not null;
create index lanes_by_readiness on lanes (ready_at) where not held;
create index lanes_held on lanes (tenant_id, ready_at) where held;
create sequence lane_epochs;

create table tenant_turns (
  tenant_id text primary key references tenants on delete cascade,
  served_at timestamptz not null default '-infinity',
  busy      boolean not null default true
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index tenant_turns_in_order on tenant_turns (served_at) where busy;

create table runtime (
  only_one        boolean primary key default true check (only_one),
  state           text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  restarts        int not null default 0,
  state_set_by    text,
  state_set_at    timestamptz not null default now(),
  rereads         boolean not null default true,
  state_reason    text,
  state_reason_at timestamptz
);
insert into runtime default values;

create table nodes (
  node_id       text primary key,
  role          text not null,
  started_at    timestamptz not null default now(),
  seen_at       timestamptz not null default now(),
  progressed_at timestamptz,
  report        jsonb not null
);

create table scope_metrics (
  scope_key  bigint not null references scope_names (scope_key) on delete cascade,
  slot       smallint not null,
  starts_at  timestamptz not null,
  processed  bigint not null,
  failed     bigint not null,
  retried    bigint not null,
  waiting    int[] not null,
  processing int[] not null,
  total      int[] not null,
  primary key (scope_key, slot)
) with (fillfactor = 50);

create table events (
  event_id  bigint generated always as identity primary key,
  ts        timestamptz not null default clock_timestamp(),
  type      text not null,
  tenant_id text,
  scope_id  text,
  payload   json not null
);
create index events_by_scope on events (hashtextextended(tenant_id || ' ' || scope_id, 0), event_id)
  where scope_id is not null;
create index events_by_tenant on events (hashtextextended(tenant_id, 0), event_id) where scope_id is not null;

create table event_log (
  only_one      boolean primary key default true check (only_one),
  trimmed_up_to bigint not null default 0
);
insert into event_log default values;

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

create table purges (
  scope_key  bigint primary key,
  since      timestamptz not null default now(),
  generation int not null default 2147483647
);
create index purges_in_order on purges (since, scope_key);

create table document_purges (
  scope_key     bigint not null,
  generation    int not null,
  document_id   text not null,
  from_version  int not null,
  up_to_version int not null,
  since         timestamptz not null default now(),
  primary key (scope_key, generation, document_id)
);
