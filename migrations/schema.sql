-- The schema as it is, made by npm run generate from a new database. Do not edit it: change baseline.sql, add the
-- same change as the next numbered file, and explain it in comments.sql.

-- The tables, below in this order, and the functions after them:
--
--   tenants: Who owns documents
--   tenant_changes: What has changed in the number of scopes and in the backlog of tenants
--   api_keys: The keys of all three tiers
--   scope_names: The names of scopes: a row never changes
--   scopes: Named collections of documents; documents are compared within a scope
--   documents: Each version of each document, with what became of it
--   document_contents: What never changes of a document, apart from the row that does
--   idempotency_keys: Which document an idempotency key of a tenant stands for
--   readings: What the newest processed version of each document says
--   claim_keys: Which filed readings have a key; those that share one are compared
--   claim_groups: The things that claims are about: those that two documents speak of, that are in dispute, whose
--     leader has changed, or that a filed reading has
--   claim_values: What is claimed in a group, and by how many filed readings
--   claim_evidence: Which filed readings say what in a group
--   fact_words: Which groups of two or more documents are found by a word; once they are, until the group is gone
--   contradictions: Claims that cannot both be true: detected between two readings, or reported by a caller
--   report_documents: The documents that reports name, by the hash of their ids: a page of what names one of them reads
--     no more than it shows
--   convergence_points: How far a scope had converged after each batch and each decision, numbered; the last hundred of
--     a scope are kept
--   lanes: A lane is a scope with documents to process: the row comes with the first of them and goes with the last
--   tenant_turns: Tenants take turns: the one served longest ago is next
--   runtime: The state of the whole runtime: one row
--   nodes: The processes of the service, and what each last said of itself
--   scope_metrics: What happened in a scope, in slots of five minutes that are used in turn: a fixed size for each
--     scope
--   events: The log of all that happened, which streams are fed from
--   event_log: Up to which id the log was trimmed: one row
--   audit_log: Who changed what, from where, and what it was before: a row for each change, written in its transaction
--   purges: Scopes that were deleted or reset and have left rows behind, whoever did it
--   document_purges: Documents that were deleted and had very many versions: those that a newer one had superseded are
--     purged in pieces
--   schema_files: Which texts of src/storage/functions, comments.sql and retired.sql were applied last; a file whose
--     text has changed is applied again
--   schema_migrations: What release 1 has applied, and the newest migration that later ones have found applied, by
--     which it and 0.1.0 refuse to start
--   schema_versions: Which of the files of migrations/ were applied

-- Who owns documents. One that is deleted keeps its row, marked, until what it had is purged in pieces.
create table tenants (
  tenant_id       text not null,
  -- The order of creation, by which lists are sorted and continued.
  ordinal         bigint not null generated always as identity,
  name            text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  -- Limits that differ from those of the configuration: {"rate_per_s", "burst", "backlog", …}.
  limits          jsonb not null default '{}'::jsonb,
  -- What operators decided for it; its scopes and the whole runtime have a state, too.
  state           text not null default 'running',
  state_set_by    text,
  state_set_at    timestamptz,
  -- From then on nothing of it is to be seen, and nothing is written for it.
  deleted_at      timestamptz,
  -- How many scopes it has, as of the last fold; what has changed since is in tenant_changes.
  scopes          bigint not null default 0,
  -- How many of its documents wait to be processed, as of the last fold.
  backlog         bigint not null default 0,
  -- Why it is paused or stopped, if that was said; null while it runs. It holds as long as state_reason_at is
  -- state_set_at: release 1 set states, and knew no reasons.
  state_reason    text,
  state_reason_at timestamptz,
  constraint tenants_pkey primary key (tenant_id),
  constraint tenants_state_check check (state = any (array['running', 'paused', 'stopped'])),
  constraint tenants_ordinal_key unique (ordinal)
) with (fillfactor=50);
create index tenants_deleted on tenants (deleted_at) where (deleted_at is not null);
-- It lists what is paused or stopped, and so do scopes_held and lanes_held. No other index has its order, by bytes:
-- without figures of the table Postgres might else read past all that runs.
create index tenants_held on tenants (tenant_id collate "C") where ((state <> 'running') and (deleted_at is null));

-- What has changed in the number of scopes and in the backlog of tenants. Rows are only ever added, so that nobody who
-- accepts or settles waits for another: one row for each tenant would be a lock on all that the tenant does. They are
-- folded into tenants and deleted a moment later. No foreign key leads to tenants, because checking it would lock their
-- rows.
create table tenant_changes (
  tenant_id text not null,
  scopes    bigint not null,
  backlog   bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
create index tenant_changes_by_tenant on tenant_changes (tenant_id);

-- The keys of all three tiers. A key itself is never stored.
create table api_keys (
  -- The public beginning of the key, enough to find it.
  key_prefix   text not null,
  ordinal      bigint not null generated always as identity,
  sha256       bytea not null,
  -- Of operators whose key only reads, with _reader: a release that does not know it admits them to nothing.
  tier         text not null,
  tenant_id    text,
  label        text,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  -- What the key of a tenant may do; null for everything.
  permissions  text[],
  -- The scopes that it is limited to; null for all of them, those of the future too.
  scope_ids    text[],
  -- The prefix of the key that was made in its place, when it was rotated.
  replaced_by  text,
  constraint api_keys_pkey primary key (key_prefix),
  constraint api_keys_check check ((tier = 'tenant') = (tenant_id is not null)),
  constraint api_keys_narrowed_check check (tier = 'tenant' or permissions is null and scope_ids is null),
  constraint api_keys_permissions_check check (permissions <@ array['ingest', 'read', 'delete', 'decide'] and
    cardinality(permissions) >= 1 and cardinality(permissions) <= 3),
  constraint api_keys_scope_ids_check check (cardinality(scope_ids) >= 1 and cardinality(scope_ids) <= 100),
  constraint api_keys_sha256_check check (octet_length(sha256) = 32),
  constraint api_keys_tier_check check (tier = any (array['tenant', 'admin', 'internals', 'admin_reader',
    'internals_reader'])),
  constraint api_keys_tenant_id_fkey foreign key (tenant_id) references tenants(tenant_id) on delete cascade
);
create index api_keys_by_tenant on api_keys (tenant_id, ordinal);
-- Whether a tenant has a key with less than all: then its id alone does not post for it.
create index api_keys_narrowed on api_keys (tenant_id)
  where (((permissions is not null) or (scope_ids is not null)) and (revoked_at is null));

-- The names of scopes: a row never changes. Its keys keep the names unique, and are what other tables refer to. Keys of
-- scopes itself would be looked through at each change, past all versions of a row that an old snapshot keeps.
create table scope_names (
  tenant_id text not null,
  scope_id  text not null,
  scope_key bigint not null,
  constraint scope_names_pkey primary key (tenant_id, scope_id),
  constraint scope_names_scope_key_key unique (scope_key)
);

-- Named collections of documents; documents are compared within a scope. Counters are kept in the transaction of each
-- change, so that no answer counts documents. The row is also the lock under which documents get their seq, and under
-- which batches are settled. Room on the page keeps the frequent updates from moving it. It has no key of its own:
-- scope_names keeps it the only one.
create table scopes (
  tenant_id               text not null,
  scope_id                text not null,
  name                    text not null,
  state                   text not null default 'running',
  created_at              timestamptz not null default now(),
  -- The name of the scope in all other tables.
  scope_key               bigint not null generated always as identity,
  -- It rises when the scope is reset. Rows of older generations are no longer to be seen, and are purged in pieces.
  generation              int not null default 1,
  -- The seq of the next document.
  next_seq                bigint not null default 0,
  -- How many documents are stored in this state, as are those in registered, queued, retrying, processed, failed and
  -- superseded.
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
  -- No queued document has a lower seq. Without it, a look for the first of them walks past the index entries of all
  -- that were processed since the last vacuum.
  queued_from             bigint not null default 0,
  -- How many claims its readings have.
  claims                  bigint not null default 0,
  -- How many groups of claims on the same thing there are.
  groups                  bigint not null default 0,
  -- Groups of two or more documents, or in dispute.
  groups_shared           bigint not null default 0,
  -- Groups with a contradiction that is open or left out.
  groups_disputed         bigint not null default 0,
  -- Contradictions that are open or left out, and critical.
  contradictions_critical bigint not null default 0,
  -- How many points its convergence has had.
  points                  bigint not null default 0,
  -- What the last point said.
  convergence             text not null default 'empty',
  -- It moves on with whatever is settled, deleted, decided or sent again in the scope, but not with reports, which
  -- anyone with an id may send. What was planned for one revision is not settled in another.
  revision                bigint not null default 0,
  -- The revision that last took readings away.
  removed_at              bigint not null default 0,
  -- Readings up to this seq are filed: counted in claim_values, and found by claim_evidence. The others, which are few,
  -- are kept in the memory of who works on the scope.
  filed_up_to             bigint not null default '-1'::int,
  -- Contradictions that are kept but not shown, since a document or a fact of theirs has enough that come first.
  contradictions_left_out bigint not null default 0,
  -- Contradictions that are open and were reported, of which a scope has only so many.
  contradictions_reported bigint not null default 0,
  -- Its readings were made by these rules or newer ones; 0 for those that did not say which.
  rules                   smallint not null default 0,
  -- While newer rules are in force: the seq from which on readings are still to be looked at, and read again if they
  -- are older.
  reread_from             bigint not null default 0,
  -- How often reading again has begun since it last came further. A take counts, and a settle sets it back, so that a
  -- crash counts, too.
  reread_tries            smallint not null default 0,
  -- When reading again may be tried next.
  reread_at               timestamptz not null default '-infinity'::timestamptz,
  -- As in tenants.
  state_reason            text,
  state_reason_at         timestamptz,
  -- It rises about every fiftieth time that documents are added or settled. While somebody holds an old snapshot
  -- (pg_dump, a report), no version of the row goes away; whoever begins at the highest walks past few of them.
  recency                 int not null default 0,
  -- Readings up to this seq are found by claim_keys; others by the memory of who works on the scope, whether they are
  -- filed or not. Null for all that are filed, and so is whatever is above filed_up_to: a replica of the release before
  -- sets that alone.
  keys_filed_up_to        bigint,
  constraint scopes_state_check check (state = any (array['running', 'paused', 'stopped'])),
  constraint scopes_tenant_id_fkey foreign key (tenant_id) references tenants(tenant_id) on delete cascade
) with (fillfactor=50);
create index scopes_by_key on scopes (scope_key, recency);
create index scopes_by_name on scopes (tenant_id, scope_id, recency);
create index scopes_held on scopes (tenant_id collate "C", scope_id collate "C") where (state <> 'running');
-- It finds scopes that were read by older rules, tenant by tenant. Those that are held are not in it, so that nobody
-- reads past them.
create index scopes_to_reread on scopes (rules, tenant_id, scope_key) where (state = 'running');
create trigger scopes_deleted after delete on scopes referencing old table as scopes_before
  for each statement execute function note_tenant_changes();
create trigger scopes_inserted after insert on scopes referencing new table as scopes_after
  for each statement execute function note_tenant_changes();
create trigger scopes_leave_to_purge after delete on scopes referencing old table as scopes_before
  for each statement execute function leave_to_purge();
create trigger scopes_named before insert on scopes for each row execute function name_scopes();
create trigger scopes_updated after update on scopes referencing old table as scopes_before new table as scopes_after
  for each statement execute function note_tenant_changes();

-- Each version of each document, with what became of it. No foreign key leads to scopes: a scope is deleted by its row
-- alone, and what it leaves is purged in pieces.
create table documents (
  scope_key      bigint not null,
  generation     int not null,
  -- The order of acceptance, in which documents are processed. Numbers are given without gaps.
  seq            bigint not null,
  document_id    text not null,
  version        int not null,
  -- Two stored states are shown as another one. They keep rows that cannot go on out of the way of those that can, so
  -- that nobody reads past them: registered (shown as pending) has no text and is never processed; retrying (shown as
  -- queued) has failed and waits for not_before. What is being processed is not written here at all: the lane knows.
  state          text not null,
  attempts       smallint not null default 0,
  content_sha256 bytea not null,
  error          text,
  accepted_at    timestamptz not null default now(),
  queued_at      timestamptz,
  started_at     timestamptz,
  finished_at    timestamptz,
  not_before     timestamptz,
  -- How many claims its reading has; null when it has none.
  claims         int,
  -- What a reader of the document should know: that it was read as plain text, or not by the extractor that was asked.
  warnings       text[],
  constraint documents_pkey primary key (scope_key, generation, seq),
  constraint documents_state_check check (state = any (array['registered', 'pending', 'queued', 'retrying', 'processed',
    'failed', 'superseded'])),
  constraint documents_scope_key_generation_document_id_version_key unique (scope_key, generation, document_id, version)
) with (fillfactor=80);
-- It serves lists of one state, and the taking of what is queued in its order.
create index documents_by_state on documents (scope_key, generation, state, seq);
-- It finds what has failed in all tenants, by when. It has nothing of the others, so that accepting and processing do
-- not pay for it.
create index documents_failed on documents (finished_at, scope_key, generation, seq) where (state = 'failed');
-- The same by the first words of the error, and then by when.
create index documents_failed_by_error on documents ("left"(coalesce(error, ''), 50) collate "C", finished_at, scope_key, generation, seq)
  where (state = 'failed');
create index documents_to_retry on documents (scope_key, generation, not_before) where (state = 'retrying');

-- What never changes of a document, apart from the row that does. Compressing the text costs more time than the space
-- is worth, and so does moving a page of it to a second table.
create table document_contents (
  scope_key   bigint not null,
  generation  int not null,
  seq         bigint not null,
  name        text not null,
  type        text not null,
  source      text,
  provenance  text,
  text        text,
  -- The W3C trace context of the request that brought it, if there was one: for its events, and for an extractor of
  -- your own.
  traceparent text,
  constraint document_contents_pkey primary key (scope_key, generation, seq)
) with (toast_tuple_target=8160);
alter table document_contents alter column text set storage external;

-- Which document an idempotency key of a tenant stands for.
create table idempotency_keys (
  tenant_id       text not null,
  idempotency_key text not null,
  -- The hash of the request that used the key first; another request with the same key is refused.
  fingerprint     bytea not null,
  scope_key       bigint not null,
  generation      int not null,
  seq             bigint not null,
  constraint idempotency_keys_pkey primary key (tenant_id, idempotency_key)
);
create index idempotency_keys_by_document on idempotency_keys (scope_key, generation, seq);

-- What the newest processed version of each document says.
create table readings (
  scope_key     bigint not null,
  generation    int not null,
  seq           bigint not null,
  document_id   text not null,
  -- A hash of the id of the document, 52 bits. It decides which documents are compared where too many have a key,
  -- whatever the order in which they came.
  document_hash bigint not null,
  -- JSON, as the pipeline wrote it: only the pipeline reads it.
  claims        text not null,
  -- What it is found by; each is a row of claim_keys once it is filed.
  keys          bigint[] not null,
  -- The groups in which it claims something.
  groups        bigint[] not null,
  -- What it claims in each of the groups, by its place.
  group_values  bigint[] not null,
  -- Of the scope that it came with; who knows an older one has to read it yet.
  revision      bigint not null default 0,
  -- The version of the rules that made it. Readings of two versions have no key and no group in common, and are never
  -- compared.
  rules         smallint not null default 0,
  -- Of a long reading what is shown of it, in pieces of which one can be read alone: so it is not compressed. Null for
  -- one that is short, or that 0.1.0 or release 1 has made: it is shown from its claims.
  pieces        bytea,
  -- By place of the group, the byte at which its piece ends. Claims of one sentence share one.
  piece_ends    int[],
  -- What it is about, as numbers of words: the words of each of its subjects, each time followed by 0, and then all
  -- that it speaks of. Two readings of which each subject has a word that the other lacks are not compared. Null where
  -- nothing is told: of a long one, of one with a pronoun that nothing explains, and of what release 10 has read.
  sketch        smallint[],
  constraint readings_pkey primary key (scope_key, generation, seq)
);
alter table readings alter column pieces set storage external;

-- Which filed readings have a key; those that share one are compared. Rows are nearly only added, and are read through
-- the primary key alone: when the table is vacuumed often, a look at the first documents of a key need not visit each
-- row.
create table claim_keys (
  scope_key     bigint not null,
  generation    int not null,
  key           bigint not null,
  document_hash bigint not null,
  seq           bigint not null,
  constraint claim_keys_pkey primary key (scope_key, generation, key, document_hash, seq)
) with (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=20000);

-- The things that claims are about: those that two documents speak of, that are in dispute, whose leader has changed,
-- or that a filed reading has. Any other is known by its one reading alone.
create table claim_groups (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  -- How many claim something about it.
  documents  int not null,
  -- Contradictions that are open or left out.
  disputes   int not null default 0,
  -- The value that most documents give.
  leader     bigint,
  -- The point of convergence at which the leader last became another.
  changed_at bigint,
  -- Whether several values are given for it.
  varied     boolean,
  -- What it is found by, the words of its subject and attribute; null before two documents of rules that know them
  -- speak of it.
  words      text[],
  -- When a document last came to speak of it or left it, or a contradiction of it was opened or decided; null for one
  -- document that was filed.
  said_at    timestamptz,
  -- A contradiction of it was decided, and none that is shown is open: what is left out of it keeps it in dispute no
  -- longer.
  decided    boolean not null default false,
  constraint claim_groups_pkey primary key (scope_key, generation, group_key)
) with (fillfactor=80);
create index claim_groups_changed on claim_groups (scope_key, generation, changed_at) where (changed_at is not null);
-- It lists facts by their state, those of most documents first.
create index claim_groups_in_order on claim_groups (scope_key, generation, (
case
    when ((disputes > 0) and (not decided)) then 'disputed'
    when varied then 'varied'
    else 'agreed'
end), ((- documents)), group_key)
  where ((documents > 1) and (words is not null));

-- What is claimed in a group, and by how many filed readings.
create table claim_values (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  value_key  bigint not null,
  documents  int not null,
  constraint claim_values_pkey primary key (scope_key, generation, group_key, value_key)
);
-- Which value leads a group is looked up among the few that several documents give; without any, the lowest leads,
-- which the primary key tells.
create index claim_values_leading on claim_values (scope_key, generation, group_key, documents desc, value_key)
  where (documents > 1);

-- Which filed readings say what in a group. Those that are not filed are few, and are looked through by who asks.
create table claim_evidence (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  value_key  bigint not null,
  seq        bigint not null,
  constraint claim_evidence_pkey primary key (scope_key, generation, group_key, value_key, seq)
);

-- Which groups of two or more documents are found by a word; once they are, until the group is gone. All of them are
-- found by the empty word, in order of their keys.
create table fact_words (
  scope_key  bigint not null,
  generation int not null,
  word       text not null,
  group_key  bigint not null,
  constraint fact_words_pkey primary key (scope_key, generation, word, group_key)
);

-- Claims that cannot both be true: detected between two readings, or reported by a caller. A detected one has two
-- sides, each a claim of a document.
create table contradictions (
  contradiction_id text not null,
  -- The order in which they were found, by which lists are sorted and continued.
  ordinal          bigint not null generated always as identity,
  scope_key        bigint not null,
  generation       int not null,
  -- What makes it the same one. It is made from the documents and what they say, so that a new version that says the
  -- same keeps it.
  pair_sha256      bytea not null,
  claim_a          text not null,
  claim_b          text not null,
  source_a         text,
  source_b         text,
  -- The documents of both sides, or those that the report names.
  document_ids     text[] not null,
  subject          text,
  attribute        text,
  severity         text not null,
  -- Left out is one that is not shown, since others come first; nobody decides it.
  status           text not null default 'open',
  origin           text not null,
  reason           text,
  resolution       text,
  resolved_by      text,
  resolved_at      timestamptz,
  created_at       timestamptz not null default now(),
  document_a       text,
  document_b       text,
  -- The version of document_a whose reading has the claim.
  seq_a            bigint,
  seq_b            bigint,
  -- Where the claim stands in the text of the document.
  span_a           int[],
  span_b           int[],
  -- The group and, in value_a, the value of the claim.
  group_a          bigint,
  group_b          bigint,
  value_a          bigint,
  value_b          bigint,
  -- The side that a resolution upholds; null when it names none.
  upheld           text,
  -- The order in which those of a document or of a fact are chosen: what newer rules have found first, then by
  -- severity, then by pair_sha256. Null for a report.
  precedence       bigint,
  -- Of whose first it is one, in bits: 1 and 2 of the documents of a and b, 4 and 8 of the groups of a and b.
  places           smallint not null default 15,
  -- It was decided, and newer rules find it no more: it is kept for the sake of the decision until one of its documents
  -- goes.
  outdated         boolean not null default false,
  constraint contradictions_pkey primary key (contradiction_id),
  constraint contradictions_origin_check check (origin = any (array['detected', 'reported'])),
  constraint contradictions_severity_check check (severity = any (array['low', 'medium', 'critical'])),
  constraint contradictions_status_check check (status = any (array['open', 'resolved', 'deferred', 'left_out'])),
  constraint contradictions_upheld_check check (upheld = any (array['a', 'b'])),
  constraint contradictions_with_sides check ((origin = 'detected') = (num_nulls(seq_a, seq_b, span_a, span_b, group_a,
    group_b, value_a, value_b) = 0)),
  constraint contradictions_scope_key_generation_pair_sha256_key unique (scope_key, generation, pair_sha256)
);
create index contradictions_by_document_a on contradictions (scope_key, generation, hashtextextended(document_a, (0)::bigint), ordinal)
  where ((status <> 'left_out') and (origin = 'detected'));
create index contradictions_by_document_b on contradictions (scope_key, generation, hashtextextended(document_b, (0)::bigint), ordinal)
  where ((status <> 'left_out') and (origin = 'detected'));
-- It has those that are among the first of both of their documents, of which the first of a fact are shown.
create index contradictions_by_fact_a on contradictions (scope_key, generation, group_a, precedence)
  where ((origin = 'detected') and (((places)::int & 3) = 3));
create index contradictions_by_fact_b on contradictions (scope_key, generation, group_b, precedence)
  where ((origin = 'detected') and (((places)::int & 3) = 3));
-- The lists of a severity, of a status, and of both.
create index contradictions_by_severity on contradictions (scope_key, generation, severity, status, ordinal)
  where (status <> 'left_out');
create index contradictions_by_side_a on contradictions (scope_key, generation, seq_a, precedence)
  where (origin = 'detected');
create index contradictions_by_side_b on contradictions (scope_key, generation, seq_b, precedence)
  where (origin = 'detected');
-- By a hash, since a subject may be longer than a key of an index.
create index contradictions_by_subject on contradictions (scope_key, generation, hashtextextended(subject, (0)::bigint), ordinal)
  where ((status <> 'left_out') and (subject is not null));
create index contradictions_in_order on contradictions (scope_key, generation, ordinal) where (status <> 'left_out');
-- It finds what has to be opened again: a resolution stands until another document contradicts what it upholds.
create index contradictions_settled_a on contradictions (scope_key, generation, group_a, value_a)
  where ((origin = 'detected') and (status = 'resolved'));
create index contradictions_settled_b on contradictions (scope_key, generation, group_b, value_b)
  where ((origin = 'detected') and (status = 'resolved'));
create trigger contradiction_reported after insert on contradictions
  for each row when ((new.origin = 'reported')) execute function note_report_documents();

-- The documents that reports name, by the hash of their ids: a page of what names one of them reads no more than it
-- shows.
create table report_documents (
  scope_key     bigint not null,
  generation    int not null,
  document_hash bigint not null,
  ordinal       bigint not null,
  constraint report_documents_pkey primary key (scope_key, generation, document_hash, ordinal)
);

-- How far a scope had converged after each batch and each decision, numbered; the last hundred of a scope are kept.
create table convergence_points (
  scope_key     bigint not null,
  point         bigint not null,
  at            timestamptz not null default clock_timestamp(),
  agreement     float8 not null,
  coverage      float8 not null,
  stability     float8 not null,
  corroboration float8 not null,
  score         float8 not null,
  disagreement  float8 not null,
  constraint convergence_points_pkey primary key (scope_key, point),
  constraint convergence_points_scope_key_fkey foreign key (scope_key) references scope_names(scope_key) on delete
    cascade
);

-- A lane is a scope with documents to process: the row comes with the first of them and goes with the last. Whoever
-- locks both locks the scope first.
create table lanes (
  scope_key  bigint not null,
  tenant_id  text not null,
  scope_id   text not null,
  generation int not null,
  -- The scope itself is paused or stopped.
  held       boolean not null,
  -- When it may be taken; whoever waits longest is next. While the lane is leased it is the end of the lease.
  ready_at   timestamptz not null,
  -- The worker that has leased it; null when nobody has.
  holder     text,
  -- It is another one with each lease: with the holder, it is the fence of everything that is written under the lease.
  epoch      bigint not null default 0,
  -- What the holder works on, by seq.
  claimed    bigint[] not null default '{}'::bigint[],
  -- Since when the holder works on that.
  claimed_at timestamptz,
  -- How many documents to take one at a time, because a lease on so many ran out: one of them may be the reason.
  suspects   int not null default 0,
  constraint lanes_pkey primary key (scope_key),
  constraint lanes_scope_key_fkey foreign key (scope_key) references scope_names(scope_key) on delete cascade
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
create index lanes_by_readiness on lanes (ready_at) where (not held);
create index lanes_by_turn on lanes (tenant_id, ready_at) where (not held);
create index lanes_held on lanes (tenant_id, ready_at) where held;
create index lanes_in_work on lanes (tenant_id) where (holder is not null);

-- Tenants take turns: the one served longest ago is next.
create table tenant_turns (
  tenant_id text not null,
  served_at timestamptz not null default '-infinity'::timestamptz,
  -- Only a busy one can have lanes.
  busy      boolean not null default true,
  constraint tenant_turns_pkey primary key (tenant_id),
  constraint tenant_turns_tenant_id_fkey foreign key (tenant_id) references tenants(tenant_id) on delete cascade
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
create index tenant_turns_in_order on tenant_turns (served_at) where busy;

-- The state of the whole runtime: one row.
create table runtime (
  only_one        boolean not null default true,
  state           text not null default 'running',
  -- Every node renews its workers when this has risen.
  restarts        int not null default 0,
  state_set_by    text,
  state_set_at    timestamptz not null default now(),
  -- Whether what older rules have read is read again; npm run reread -- stop says that it is not.
  rereads         boolean not null default true,
  -- As in tenants.
  state_reason    text,
  state_reason_at timestamptz,
  constraint runtime_pkey primary key (only_one),
  constraint runtime_only_one_check check (only_one),
  constraint runtime_state_check check (state = any (array['running', 'paused', 'stopped']))
);

-- The processes of the service, and what each last said of itself.
create table nodes (
  node_id       text not null,
  role          text not null,
  started_at    timestamptz not null default now(),
  seen_at       timestamptz not null default now(),
  -- When it was last seen to have settled a batch.
  progressed_at timestamptz,
  report        jsonb not null,
  constraint nodes_pkey primary key (node_id)
);

-- What happened in a scope, in slots of five minutes that are used in turn: a fixed size for each scope. The histograms
-- waiting, processing and total have four buckets for each doubling of milliseconds: bucket 1 is below 2^(1/4) ms, the
-- last has the rest.
create table scope_metrics (
  scope_key  bigint not null,
  slot       smallint not null,
  starts_at  timestamptz not null,
  processed  bigint not null,
  failed     bigint not null,
  retried    bigint not null,
  waiting    int[] not null,
  processing int[] not null,
  total      int[] not null,
  constraint scope_metrics_pkey primary key (scope_key, slot),
  constraint scope_metrics_scope_key_fkey foreign key (scope_key) references scope_names(scope_key) on delete cascade
) with (fillfactor=50);

-- The log of all that happened, which streams are fed from. Ids rise in the order of commits, because whoever writes
-- events takes one lock just before the commit.
create table events (
  event_id  bigint not null generated always as identity,
  ts        timestamptz not null default clock_timestamp(),
  type      text not null,
  tenant_id text,
  scope_id  text,
  payload   json not null,
  constraint events_pkey primary key (event_id)
);
-- It finds the events of a scope after an id, without reading past those of everybody else, for streams that resume. It
-- has a hash, since that is a quarter of the size of the names, and every document that is accepted writes one.
create index events_by_scope on events (hashtextextended(((tenant_id || ' ') || scope_id), (0)::bigint), event_id)
  where (scope_id is not null);
-- The same for the events of all scopes of a tenant.
create index events_by_tenant on events (hashtextextended(tenant_id, (0)::bigint), event_id)
  where (scope_id is not null);
create trigger events_of_tenants after insert on events referencing new table as added
  for each statement execute function refuse_deleted_tenants();

-- Up to which id the log was trimmed: one row.
create table event_log (
  only_one      boolean not null default true,
  trimmed_up_to bigint not null default 0,
  constraint event_log_pkey primary key (only_one),
  constraint event_log_only_one_check check (only_one)
);

-- Who changed what, from where, and what it was before: a row for each change, written in its transaction. Nothing
-- changes a row, and none goes before its time, whoever asks. Of keys it has the public beginning, and of texts
-- nothing.
create table audit_log (
  audit_id   bigint not null generated always as identity,
  -- The clock of Postgres, read under the lock that whoever writes here takes: rows come in this order, unless that
  -- clock goes back.
  at         timestamp(3) with time zone not null,
  action     text not null,
  actor_kind text not null,
  -- By what it is searched for: the beginning of the key, the setting of a bootstrap key, or who it was that has none.
  actor      text not null,
  label      text,
  tenant_id  text,
  scope_id   text,
  -- Which document, contradiction or key, where it is about one.
  subject    text,
  before     jsonb,
  after      jsonb,
  address    text,
  request_id text,
  constraint audit_log_pkey primary key (audit_id),
  constraint audit_log_actor_kind_check check (actor_kind = any (array['operator', 'tenant', 'bootstrap', 'command
    line', 'service']))
);
create index audit_log_by_action on audit_log (action, at, audit_id);
create index audit_log_by_actor on audit_log (actor, at, audit_id);
-- Pages and exports read a range of the index of what they ask for, and nothing else; so they cost the same however
-- long the log is.
create index audit_log_by_tenant on audit_log (tenant_id, at, audit_id);
create index audit_log_by_time on audit_log (at, audit_id);
create trigger audit_log_is_kept before delete or update on audit_log for each row execute function keep_audit_log();
create trigger audit_log_is_not_emptied before truncate on audit_log
  for each statement execute function keep_audit_log();

-- Scopes that were deleted or reset and have left rows behind, whoever did it. Resetting a scope leaves rows of past
-- generations, deleting it leaves those of all.
create table purges (
  scope_key  bigint not null,
  since      timestamptz not null default now(),
  -- The last of the generations to go.
  generation int not null default 2147483647,
  constraint purges_pkey primary key (scope_key)
);
create index purges_in_order on purges (since, scope_key);

-- Documents that were deleted and had very many versions: those that a newer one had superseded are purged in pieces.
-- No document is shown, found or given a number by them. A document that comes again under the same id begins with
-- version 1, and whoever stores it purges the versions whose numbers it takes.
create table document_purges (
  scope_key     bigint not null,
  generation    int not null,
  document_id   text not null,
  -- Versions from this one on are not to be seen; those below are of the document that came again.
  from_version  int not null,
  -- The last version to go.
  up_to_version int not null,
  since         timestamptz not null default now(),
  constraint document_purges_pkey primary key (scope_key, generation, document_id)
);

-- Which texts of src/storage/functions, comments.sql and retired.sql were applied last; a file whose text has changed
-- is applied again.
create table schema_files (
  name       text not null,
  sha256     text not null,
  -- Which release applied it. A replica of an older release that starts beside that one leaves it as it is.
  release    int[] not null,
  applied_at timestamptz not null default now(),
  constraint schema_files_pkey primary key (name)
);

-- What release 1 has applied, and the newest migration that later ones have found applied, by which it and 0.1.0 refuse
-- to start. It stays for good: without it they would take the database for a new one.
create table schema_migrations (
  version    int not null,
  name       text not null,
  sha256     text not null,
  applied_at timestamptz not null default now(),
  constraint schema_migrations_pkey primary key (version)
);

-- Which of the files of migrations/ were applied. The highest version is the version of the schema; a new database
-- begins with the row of baseline.sql.
create table schema_versions (
  version    int not null,
  name       text not null,
  sha256     text not null,
  -- Which release applied it. That one and the one before may start on this database.
  release    int not null,
  applied_at timestamptz not null default now(),
  constraint schema_versions_pkey primary key (version)
);

-- Gives the epochs of leases. The row of a lane could not, since it comes and goes.
create sequence lane_epochs;

-- The functions, whose bodies are in src/storage/functions.

-- accept_new_documents_traced(tenant_ids text[], scope_ids text[], places int[], nths int[], ids text[], chosen
--   boolean[], states text[], event_types text[], hashes text[], keys text[], fingerprints text[], names text[], types
--   text[], sources text[], provenances text[], texts text[], traces text[], patience_ms int)
--   returns table(seqs float8[], awakened boolean[], locked boolean[])
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Accepts new documents, in one statement and so in one round trip.

-- add_to_scopes(tenant_ids text[], scope_ids text[], places int[], states text[], nths int[], left_out boolean[])
--   returns table(scope_keys bigint[], generations int[], firsts bigint[], awakened boolean[])
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set enable_hashjoin=off set enable_mergejoin=off
--     set plan_cache_mode=force_generic_plan
--   Adds documents, those that have an nth, to the counters of their scopes, and to the next seq, but for scopes that
--   are `left_out`.

-- append_events_of(batch json, lanes bigint[])
--   returns void
--   language plpgsql
--   Writes events, {lane, type, tenant_id, scope_id, payload} each: those of these lanes, or all where no lanes are
--   given.

-- append_witnessed_events(batch json, out xid text, out event_id bigint, out ts text)
--   returns record
--   language plpgsql
--   Writes events, {type, tenant_id, scope_id, payload} each, one at least, under the lock of the log.

-- awaken_lanes(keys bigint[])
--   returns void
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   Makes lanes, ready at once, for scopes that the transaction has locked and that have documents to process now.

-- convergence_counts(scope bigint)
--   returns json
--   language sql stable
--   Returns what a point of convergence of a scope is measured from.

-- count_disputes(scope bigint, its_generation int, ids text[], step int)
--   returns void
--   language plpgsql set enable_seqscan=off set enable_nestloop=off
--   Counts one open contradiction more (`step` 1) or less (-1) for the groups of each of these.

-- count_groups(scope bigint, its_generation int, wanted bigint[])
--   returns int[]
--   language sql stable set enable_seqscan=off
--   Counts how many of these groups there are, how many of them are shared, and how many are in dispute.

-- count_lanes(tenant text, most int)
--   returns int
--   language sql stable set enable_seqscan=off set enable_bitmapscan=off
--   How many lanes a tenant has, held or not, up to a number: past that none is read.

-- count_new_documents(tenant_ids text[], scope_ids text[], places int[], states text[], nths int[], patience_ms int)
--   returns table(scope_keys bigint[], generations int[], firsts bigint[], awakened boolean[], locked boolean[])
--   language plpgsql
--   Counts new documents, those that have an nth, into their scopes, which locks these.

-- count_places(histogram int[], places int[])
--   returns int[]
--   language plpgsql immutable
--   Counts one more in each of these places of a histogram, as often as it is named.

-- cut_piece(pieces bytea, ends int[], groups bigint[], said bigint[], its_group bigint, its_value bigint)
--   returns table(place int, piece text)
--   language sql stable
--   The piece of a reading that has what it says in a group, and the place among those that share the piece, from 0 on.

-- drop_groups(scopes bigint[], generations int[], groups bigint[])
--   returns void
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Takes away groups, and the words that they were found by.

-- end_dispute(scope bigint, its_generation int, id text)
--   returns void
--   language plpgsql set enable_seqscan=off
--   Takes an open contradiction that is decided now out of the counts of its groups and of its scope, which the
--   transaction has locked.

-- file_keys(scope bigint, its_generation int, seqs bigint[])
--   returns void
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Files the keys of readings: from now on they are found by claim_keys.

-- file_readings(scope bigint, its_generation int, seqs bigint[])
--   returns void
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Files readings: from now on what they say is counted in claim_values, and they are found by it in claim_evidence.

-- first_seq_since(scope bigint, its_generation int, since timestamptz)
--   returns bigint
--   language plpgsql stable set enable_bitmapscan=off
--   Finds where a scope's documents since some time begin: seq rises with the time of acceptance, so a few looks are
--   enough.

-- first_values(scope bigint, its_generation int, its_group bigint, most int)
--   returns setof bigint
--   language sql stable
--   The values of a group among which those are that most of its filed documents have: up to so many of those that
--   several have, and of all in their order.

-- forget_readings_of(scope bigint, its_generation int, seqs bigint[])
--   returns void
--   language plpgsql set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set
--     plan_cache_mode=force_generic_plan
--   Takes readings away, filed or not, with what was filed of them.

-- free_lanes(settling bigint[], plans json)
--   returns void
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   Ends the leases of these lanes, of which so many documents are done each.

-- hand_back_reread(key bigint, worker text, its_epoch bigint, patience_ms int)
--   returns boolean
--   language plpgsql set enable_seqscan=off
--   Ends a lease for reading again, run out or not, with nothing done and nobody to blame: it was no try, and the scope
--   may be taken again at once.

-- is_decided(scope bigint, its_generation int, its_group bigint)
--   returns boolean
--   language sql stable set enable_seqscan=off
--   Whether a contradiction of a group was decided, and none that is shown is open.

-- keep_audit_log()
--   returns trigger
--   language plpgsql
--   Refuses to change the audit log: nothing is updated or emptied, and what is deleted is older than a day and deleted
--   by who says that it trims the log.

-- lease_lanes(picked bigint[], worker text, moment timestamptz, lease_ms int, most_documents int, most_bytes bigint)
--   returns json
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   Leases these lanes under one epoch, and claims their next documents in order of seq, up to a number and a size over
--   all, at least one: those that are queued, and those whose time to be tried again has come.

-- leave_to_purge()
--   returns trigger
--   language plpgsql
--   Notes scopes that were deleted, by whoever: what they leave behind in tables without a foreign key is purged in
--   pieces.

-- list_by_document_id(wanted text, of_tenant text, of_scope text, from_tenant text, from_scope text, after_seq bigint,
--   before timestamptz, prefix text, most int, most_scopes int)
--   returns json
--   language plpgsql stable set enable_seqscan=off set enable_bitmapscan=off set enable_sort=off set
--     plan_cache_mode=force_generic_plan
--   Where the documents of one id are, in order of tenant and scope: the newest version of each, if it came to its
--   state before a moment and its error begins so.

-- list_detected(wanted json)
--   returns json
--   language sql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Detected contradictions of scopes, {scope, generation, pairs, seqs, ids, groups, values} each: those of these pairs
--   (in base64), those that any of these seqs is a side of, those with these ids, and the resolved ones that uphold one
--   of these values of these groups.

-- list_evidence(scope bigint, its_generation int, its_group bigint, after_value bigint, after_seq bigint, most int,
--   its_rules int, most_bytes bigint)
--   returns json
--   language sql stable set enable_seqscan=off set max_parallel_workers_per_gather=0 set
--     plan_cache_mode=force_generic_plan
--   Which documents say what in a group, filed or not, in order of value and seq from after one on; `goes_on` is set
--   for each after which there is another.

-- list_examples(scope bigint, its_generation int, facts json, its_rules int, most_bytes bigint)
--   returns json
--   language sql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   The readings that list_facts names, each with the pieces [group_key, value_key, place, piece] in which it says what
--   it is an example of, or else with all its claims; as long as those before are not that many bytes together, and
--   those of the first group in any case.

-- list_facts(scope bigint, its_generation int, wanted_groups bigint[], most int)
--   returns json
--   language sql stable set enable_seqscan=off set max_parallel_workers_per_gather=0 set
--     plan_cache_mode=force_generic_plan
--   What is said in groups of a scope: [nth, documents, disputes, said_at, values, contradictions, group_key] for each
--   of them that there is, the place counted from 1.

-- list_failed(prefix text, before timestamptz, below_error text, below timestamptz, below_scope bigint,
--   below_generation int, below_seq bigint, most int, most_looked_at int)
--   returns json
--   language plpgsql stable set enable_seqscan=off set enable_bitmapscan=off set enable_sort=off set
--     plan_cache_mode=force_generic_plan
--   Where the documents of all tenants are that have failed before a moment, the newest failure first, up to a number
--   of them.

-- list_first(wanted json)
--   returns json
--   language sql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Detected contradictions of scopes, {scope, generation, seqs, of_seqs, groups, of_groups} each: as many of the first
--   of each of these documents as `of_seqs` says, and as many of the first of each of these groups, of those that are
--   among the first of both of their documents.

-- list_first_postings(scopes bigint[], generations int[], keys bigint[], lowest bigint[], cap int, most int[])
--   returns json
--   language sql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   For each of these keys that any document of its scope has, those that come first by their hash: [place, hashes,
--   seqs], the place counted from 1.

-- list_groups(scopes bigint[], generations int[], keys bigint[], most int[])
--   returns json
--   language sql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   What is stored of groups of scopes: [nth, documents, disputes, leader, changed_at, values, counts] for each that
--   has a row, the place counted from 1.

-- list_groups_by_id(scope bigint, its_generation int, after_group bigint, most int)
--   returns table(group_key bigint, documents int, disputes int, varied boolean, decided boolean)
--   language sql stable set enable_seqscan=off set max_parallel_workers_per_gather=0 set
--     plan_cache_mode=force_generic_plan
--   The first so many groups of a scope after one, in order of their keys: those that have a row, and those that have
--   none, since only one document speaks of them, which is not filed.

-- list_in_scope(scope bigint, its_generation int, states text[], in_work boolean, after_seq bigint, most int)
--   returns table(seq bigint, since timestamptz, error text, shown boolean)
--   language plpgsql stable set enable_seqscan=off set enable_bitmapscan=off set enable_sort=off set
--     plan_cache_mode=force_generic_plan
--   The documents of a scope after a seq, in order, up to a number: of one or two stored states, or of all where none
--   is given.

-- list_in_scopes(of_tenant text, of_scope text, from_tenant text, from_scope text, after_seq bigint, states text[],
--   in_work boolean, before timestamptz, prefix text, most int, most_looked_at int, most_scopes int)
--   returns json
--   language plpgsql stable set enable_seqscan=off set enable_bitmapscan=off set enable_sort=off set
--     plan_cache_mode=force_generic_plan
--   Where documents are, in order of tenant, scope and seq: those of one or two stored states, or of all, that came to
--   it before a moment, and whose error begins so.

-- list_older_versions(scopes bigint[], generations int[], ids text[], versions int[])
--   returns json
--   language plpgsql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Of each of these documents the versions below one that are not superseded, as far down as to the newest that is
--   processed: below that one all are.

-- list_readings_since(wanted bigint[], known bigint[], after_seq bigint[], most_keys int)
--   returns json
--   language sql stable set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   For each of these scopes, as it is now: what a turn has to know of it (see scope_head), and the readings whose keys
--   are not filed, as [seq, document_id, document_hash, keys, groups, values, rules, sketch], that are newer than the
--   revision that is `known` of it, in order of seq from after one on, as many as have so many keys, but one in any
--   case; `goes_on` when there may be more.

-- list_rereads(s scopes, its_rules int, up_to bigint, most_documents int, most_bytes bigint)
--   returns json
--   language sql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   The next documents of a scope, up to a seq, that older rules have read, in order: as lease_lanes claims documents,
--   and with the number of claims and the warnings of each.

-- list_sketches(scopes bigint[], generations int[], seqs bigint[], its_rules int)
--   returns json
--   language sql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   The sketches of these readings, in order; null for one that is not there, or was made by other rules.

-- list_values(scopes bigint[], generations int[], groups bigint[], keys bigint[])
--   returns json
--   language sql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   How many filed documents say each of these values: [nth, documents] for those that any does, the place counted from
--   1.

-- lock_events()
--   returns void
--   language sql
--   Takes the lock of the event log.

-- lock_free_scopes(tenant_ids text[], scope_ids text[])
--   returns boolean[]
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   Locks those of these scopes that nobody has locked, without waiting.

-- lock_scopes(keys bigint[], patience_ms int)
--   returns bigint[]
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off
--   Locks scopes in the order in which accepting does.

-- name_scopes()
--   returns trigger
--   language plpgsql
--   Gives a new scope its row of names, whose keys keep the names of scopes unique, and makes no scope whose name is
--   taken.

-- next_reread(its_rules int, after_tenant text, moment timestamptz)
--   returns text[]
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Of the next tenant after one that has scopes which older rules have read, the first such scope that may be read
--   again now: not one with new work, which comes first.

-- note_report_documents()
--   returns trigger
--   language plpgsql
--   Notes which documents a report names, so that it is found by them.

-- note_tenant_changes()
--   returns trigger
--   language plpgsql
--   Notes what a statement changed in the number of scopes and in the backlog of tenants.

-- note_vanished(lane lanes)
--   returns int
--   language plpgsql set enable_seqscan=off
--   Of a lane whose last holder vanished: what that one had is to be taken one at a time, and a document that it had
--   alone is counted a failed attempt.

-- number_new_documents(tenant_ids text[], scope_ids text[], places int[], nths int[], ids text[], chosen boolean[],
--   keys text[])
--   returns int[]
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   Says of each document how many of its scope come before it that are new, too; null for one whose key is there
--   already, or whose id, if the caller chose it.

-- open_in_group(scope bigint, its_generation int, its_group bigint)
--   returns text[]
--   language sql stable set enable_seqscan=off
--   The ids of the contradictions of a group that are shown and open, the first first.

-- processed_version(scope bigint, its_generation int, id text, below int)
--   returns int
--   language plpgsql stable set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   The version of a document that is processed, among those below one; null if none is.

-- refuse_deleted_tenants()
--   returns trigger
--   language plpgsql
--   Undoes what is written for a tenant that was deleted.

-- retry_documents(keys bigint[], generations int[], seqs bigint[], patience_ms int)
--   returns json
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   Sends documents that have failed back to the queue, with all their attempts before them: those that are still
--   there, of the generation that their scope is of, and still failed when their scope is locked, so that whoever comes
--   second does nothing.

-- scope_head(s scopes)
--   returns json
--   language sql stable
--   What a plan has to know of a scope: of which revision it is, what is filed, and the counts that a point of
--   convergence is made from.

-- serve_lanes(picked bigint[], worker text, moment timestamptz, lease_ms int, most_documents int, most_bytes bigint)
--   returns json
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Leases these lanes as lease_lanes does, and puts the tenants of those that it has leased at the back of the line,
--   in the order of their lanes.

-- settle_lanes(worker text, its_epoch bigint, plans json, documents json, older json, readings json, contradictions
--   json, groups json, events json, patience_ms int)
--   returns json
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   Ends the leases of a turn with what was planned for each of its lanes.

-- take_lanes(worker text, lease_ms int, turns_per_tenant int, most_lanes int, most_documents int, most_bytes bigint)
--   returns json
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   For a turn: lanes of the tenants that were served longest ago, as many as have the documents that fill it.

-- take_reread(worker text, its_rules int, after_tenant text, lease_ms int, most_documents int, most_bytes bigint)
--   returns json
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Leases a scope of the next tenant after one for reading again what older rules have read, up to a number and a
--   size, at least one document.

-- write_contradictions(settling bigint[], contradictions json)
--   returns void
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Writes what became of detected contradictions: `gone`, `outdated` and `reopened` are ids; `placed` have gained or
--   lost places among those of their documents and facts; `moved` are found again, by a new version of a document or by
--   newer rules, and stay decided as they are: what they do not say stays as it was.

-- write_documents(settling bigint[], documents json, older json, settled_at timestamptz)
--   returns void
--   language plpgsql set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set
--     plan_cache_mode=force_generic_plan
--   Writes what became of the documents of these lanes, and that `older` versions of them are superseded now.

-- write_events(tenant_ids text[], scope_ids text[], places int[], types text[], payloads json[])
--   returns void
--   language plpgsql
--   Writes events, one for each of `types` that has a payload, under the lock of the log.

-- write_groups(settling bigint[], groups json)
--   returns void
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Writes groups as they are from now on, with the words that they are found by as soon as two documents speak of
--   them, which they keep; those without documents are gone, with their words.

-- write_metrics(settling bigint[], plans json, settled_at timestamptz)
--   returns void
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Counts what these batches finished into the slot of this moment, which is emptied first when it was last used for
--   another time.

-- write_points(settling bigint[], plans json)
--   returns void
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan
--   Adds the points of convergence that are planned for these scopes.

-- write_readings(settling bigint[], plans json, readings json)
--   returns void
--   language plpgsql set enable_seqscan=off set plan_cache_mode=force_generic_plan
--   Takes away the readings that each plan forgets, adds those that are new, and files those whose time has come, and
--   keys.

-- write_scopes(settling bigint[], plans json)
--   returns void
--   language plpgsql set enable_seqscan=off set enable_bitmapscan=off set enable_hashjoin=off set enable_mergejoin=off
--     set plan_cache_mode=force_generic_plan
--   Adds to the counters of these scopes, which the transaction has locked, what was planned, and moves their revision
--   on.
