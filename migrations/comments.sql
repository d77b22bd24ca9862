-- What tables, columns and indexes are for: the service applies this file whenever its text has changed, and schema.sql shows it
-- beside what it is about. What a name says already has no comment.

comment on table tenants is 'Who owns documents. One that is deleted keeps its row, marked, until what it had is purged in pieces.';
comment on column tenants.ordinal is 'The order of creation, by which lists are sorted and continued.';
comment on column tenants.limits is 'Limits that differ from those of the configuration: {"rate_per_s", "burst", "backlog", …}.';
comment on column tenants.state is 'What operators decided for it; its scopes and the whole runtime have a state, too.';
comment on column tenants.state_reason is
  'Why it is paused or stopped, if that was said; null while it runs. It holds as long as state_reason_at is state_set_at:
   release 1 set states, and knew no reasons.';
comment on index tenants_held is
  'It lists what is paused or stopped, and so do scopes_held and lanes_held. No other index has its order, by bytes: without figures
   of the table Postgres might else read past all that runs.';
comment on column tenants.deleted_at is 'From then on nothing of it is to be seen, and nothing is written for it.';
comment on column tenants.scopes is 'How many scopes it has, as of the last fold; what has changed since is in tenant_changes.';
comment on column tenants.backlog is 'How many of its documents wait to be processed, as of the last fold.';

comment on table tenant_changes is
  'What has changed in the number of scopes and in the backlog of tenants. Rows are only ever added, so that nobody who accepts or
   settles waits for another: one row for each tenant would be a lock on all that the tenant does. They are folded into tenants
   and deleted a moment later. No foreign key leads to tenants, because checking it would lock their rows.';

comment on table api_keys is 'The keys of all three tiers. A key itself is never stored.';
comment on column api_keys.tier is
  'Of operators whose key only reads, with _reader: a release that does not know it admits them to nothing.';
comment on column api_keys.key_prefix is 'The public beginning of the key, enough to find it.';
comment on column api_keys.permissions is 'What the key of a tenant may do; null for everything.';
comment on column api_keys.scope_ids is 'The scopes that it is limited to; null for all of them, those of the future too.';
comment on column api_keys.replaced_by is 'The prefix of the key that was made in its place, when it was rotated.';
comment on index api_keys_narrowed is 'Whether a tenant has a key with less than all: then its id alone does not post for it.';

comment on table scopes is
  'Named collections of documents; documents are compared within a scope. Counters are kept in the transaction of each change, so
   that no answer counts documents. The row is also the lock under which documents get their seq, and under which batches are
   settled. Room on the page keeps the frequent updates from moving it. It has no key of its own: scope_names keeps it the only one.';
comment on column scopes.scope_key is 'The name of the scope in all other tables.';
comment on column scopes.generation is
  'It rises when the scope is reset. Rows of older generations are no longer to be seen, and are purged in pieces.';
comment on column scopes.next_seq is 'The seq of the next document.';
comment on column scopes.pending is
  'How many documents are stored in this state, as are those in registered, queued, retrying, processed, failed and superseded.';
comment on column scopes.queued_from is
  'No queued document has a lower seq. Without it, a look for the first of them walks past the index entries of all that were
   processed since the last vacuum.';
comment on column scopes.claims is 'How many claims its readings have.';
comment on column scopes.groups is 'How many groups of claims on the same thing there are.';
comment on column scopes.groups_shared is 'Groups of two or more documents, or in dispute.';
comment on column scopes.groups_disputed is 'Groups with a contradiction that is open or left out.';
comment on column scopes.contradictions_critical is 'Contradictions that are open or left out, and critical.';
comment on column scopes.contradictions_left_out is
  'Contradictions that are kept but not shown, since a document or a fact of theirs has enough that come first.';
comment on column scopes.contradictions_reported is 'Contradictions that are open and were reported, of which a scope has only so many.';
comment on column scopes.revision is
  'It moves on with whatever is settled, deleted, decided or sent again in the scope, but not with reports, which anyone with an id may send.
   What was planned for one revision is not settled in another.';
comment on column scopes.removed_at is 'The revision that last took readings away.';
comment on column scopes.filed_up_to is
  'Readings up to this seq are filed: counted in claim_values, and found by claim_evidence. The others, which are few, are kept in the
   memory of who works on the scope.';
comment on column scopes.keys_filed_up_to is
  'Readings up to this seq are found by claim_keys; others by the memory of who works on the scope, whether they are filed or not. Null
   for all that are filed, and so is whatever is above filed_up_to: a replica of the release before sets that alone.';
comment on column scopes.rules is
  'Its readings were made by these rules or newer ones; 0 for those that did not say which.';
comment on column scopes.reread_from is
  'While newer rules are in force: the seq from which on readings are still to be looked at, and read again if they are older.';
comment on column scopes.reread_tries is
  'How often reading again has begun since it last came further. A take counts, and a settle sets it back, so that a crash counts, too.';
comment on column scopes.reread_at is 'When reading again may be tried next.';
comment on column scopes.state_reason is 'As in tenants.';
comment on index scopes_to_reread is
  'It finds scopes that were read by older rules, tenant by tenant. Those that are held are not in it, so that nobody reads past them.';
comment on column scopes.points is 'How many points its convergence has had.';
comment on column scopes.convergence is 'What the last point said.';
comment on column scopes.recency is
  'It rises about every fiftieth time that documents are added or settled. While somebody holds an old snapshot (pg_dump, a report), no
   version of the row goes away; whoever begins at the highest walks past few of them.';

comment on table scope_names is
  'The names of scopes: a row never changes. Its keys keep the names unique, and are what other tables refer to. Keys of scopes itself
   would be looked through at each change, past all versions of a row that an old snapshot keeps.';

comment on table documents is
  'Each version of each document, with what became of it. No foreign key leads to scopes: a scope is deleted by its row alone, and
   what it leaves is purged in pieces.';
comment on column documents.seq is 'The order of acceptance, in which documents are processed. Numbers are given without gaps.';
comment on column documents.state is
  'Two stored states are shown as another one. They keep rows that cannot go on out of the way of those that can, so that nobody
   reads past them: registered (shown as pending) has no text and is never processed; retrying (shown as queued) has failed and
   waits for not_before. What is being processed is not written here at all: the lane knows.';
comment on column documents.claims is 'How many claims its reading has; null when it has none.';
comment on column documents.warnings is
  'What a reader of the document should know: that it was read as plain text, or not by the extractor that was asked.';
comment on index documents_by_state is 'It serves lists of one state, and the taking of what is queued in its order.';
comment on index documents_failed is
  'It finds what has failed in all tenants, by when. It has nothing of the others, so that accepting and processing do not pay for it.';
comment on index documents_failed_by_error is 'The same by the first words of the error, and then by when.';

comment on table document_contents is
  'What never changes of a document, apart from the row that does. Compressing the text costs more time than the space is worth,
   and so does moving a page of it to a second table.';
comment on column document_contents.traceparent is
  'The W3C trace context of the request that brought it, if there was one: for its events, and for an extractor of your own.';

comment on table idempotency_keys is 'Which document an idempotency key of a tenant stands for.';
comment on column idempotency_keys.fingerprint is
  'The hash of the request that used the key first; another request with the same key is refused.';

comment on table readings is 'What the newest processed version of each document says.';
comment on column readings.document_hash is
  'A hash of the id of the document, 52 bits. It decides which documents are compared where too many have a key, whatever the order
   in which they came.';
comment on column readings.claims is 'JSON, as the pipeline wrote it: only the pipeline reads it.';
comment on column readings.keys is 'What it is found by; each is a row of claim_keys once it is filed.';
comment on column readings.groups is 'The groups in which it claims something.';
comment on column readings.group_values is 'What it claims in each of the groups, by its place.';
comment on column readings.pieces is
  'Of a long reading what is shown of it, in pieces of which one can be read alone: so it is not compressed. Null for one that is
   short, or that 0.1.0 or release 1 has made: it is shown from its claims.';
comment on column readings.sketch is
'What it is about, as numbers of words: the words of each of its subjects, each time followed by 0, and then all that it speaks of. Two
readings of which each subject has a word that the other lacks are not compared. Null where nothing is told: of a long one, of one with a
pronoun that nothing explains, and of what release 10 has read.';
comment on column readings.piece_ends is 'By place of the group, the byte at which its piece ends. Claims of one sentence share one.';
comment on column readings.rules is
  'The version of the rules that made it. Readings of two versions have no key and no group in common, and are never compared.';
comment on column readings.revision is 'Of the scope that it came with; who knows an older one has to read it yet.';

comment on table claim_keys is
  'Which filed readings have a key; those that share one are compared. Rows are nearly only added, and are read through the primary key
   alone: when the table is vacuumed often, a look at the first documents of a key need not visit each row.';

comment on table claim_groups is
  'The things that claims are about: those that two documents speak of, that are in dispute, whose leader has changed, or that a
   filed reading has. Any other is known by its one reading alone.';
comment on column claim_groups.documents is 'How many claim something about it.';
comment on column claim_groups.disputes is 'Contradictions that are open or left out.';
comment on column claim_groups.leader is 'The value that most documents give.';
comment on column claim_groups.changed_at is 'The point of convergence at which the leader last became another.';

comment on column claim_groups.varied is 'Whether several values are given for it.';
comment on column claim_groups.words is
  'What it is found by, the words of its subject and attribute; null before two documents of rules that know them speak of it.';
comment on column claim_groups.said_at is 'When a document last came to speak of it or left it, or a contradiction of it was opened or decided; null for one document that was filed.';
comment on column claim_groups.decided is
  'A contradiction of it was decided, and none that is shown is open: what is left out of it keeps it in dispute no longer.';
comment on index claim_groups_in_order is 'It lists facts by their state, those of most documents first.';

comment on table claim_evidence is
  'Which filed readings say what in a group. Those that are not filed are few, and are looked through by who asks.';

comment on table fact_words is
  'Which groups of two or more documents are found by a word; once they are, until the group is gone. All of them are found by the
   empty word, in order of their keys.';

comment on table claim_values is 'What is claimed in a group, and by how many filed readings.';
comment on index claim_values_leading is
  'Which value leads a group is looked up among the few that several documents give; without any, the lowest leads, which the
   primary key tells.';

comment on table contradictions is
  'Claims that cannot both be true: detected between two readings, or reported by a caller. A detected one has two sides, each a
   claim of a document.';
comment on column contradictions.ordinal is 'The order in which they were found, by which lists are sorted and continued.';
comment on column contradictions.pair_sha256 is
  'What makes it the same one. It is made from the documents and what they say, so that a new version that says the same keeps it.';
comment on column contradictions.document_ids is 'The documents of both sides, or those that the report names.';
comment on column contradictions.seq_a is 'The version of document_a whose reading has the claim.';
comment on column contradictions.span_a is 'Where the claim stands in the text of the document.';
comment on column contradictions.group_a is 'The group and, in value_a, the value of the claim.';
comment on column contradictions.status is 'Left out is one that is not shown, since others come first; nobody decides it.';
comment on column contradictions.precedence is
  'The order in which those of a document or of a fact are chosen: what newer rules have found first, then by severity, then by
   pair_sha256. Null for a report.';
comment on column contradictions.places is
  'Of whose first it is one, in bits: 1 and 2 of the documents of a and b, 4 and 8 of the groups of a and b.';
comment on column contradictions.upheld is 'The side that a resolution upholds; null when it names none.';
comment on index contradictions_by_fact_a is
  'It has those that are among the first of both of their documents, of which the first of a fact are shown.';
comment on column contradictions.outdated is
  'It was decided, and newer rules find it no more: it is kept for the sake of the decision until one of its documents goes.';
comment on index contradictions_by_severity is 'The lists of a severity, of a status, and of both.';
comment on index contradictions_by_subject is 'By a hash, since a subject may be longer than a key of an index.';
comment on index contradictions_settled_a is
  'It finds what has to be opened again: a resolution stands until another document contradicts what it upholds.';

comment on table report_documents is
  'The documents that reports name, by the hash of their ids: a page of what names one of them reads no more than it shows.';

comment on table convergence_points is
  'How far a scope had converged after each batch and each decision, numbered; the last hundred of a scope are kept.';

comment on table lanes is
  'A lane is a scope with documents to process: the row comes with the first of them and goes with the last. Whoever locks both
   locks the scope first.';
comment on column lanes.held is 'The scope itself is paused or stopped.';
comment on column lanes.ready_at is
  'When it may be taken; whoever waits longest is next. While the lane is leased it is the end of the lease.';
comment on column lanes.holder is 'The worker that has leased it; null when nobody has.';
comment on column lanes.epoch is
  'It is another one with each lease: with the holder, it is the fence of everything that is written under the lease.';
comment on column lanes.claimed is 'What the holder works on, by seq.';
comment on column lanes.claimed_at is 'Since when the holder works on that.';
comment on column lanes.suspects is
  'How many documents to take one at a time, because a lease on so many ran out: one of them may be the reason.';
comment on sequence lane_epochs is 'Gives the epochs of leases. The row of a lane could not, since it comes and goes.';

comment on table tenant_turns is 'Tenants take turns: the one served longest ago is next.';
comment on column tenant_turns.busy is 'Only a busy one can have lanes.';

comment on table runtime is 'The state of the whole runtime: one row.';
comment on column runtime.state_reason is 'As in tenants.';
comment on column runtime.rereads is 'Whether what older rules have read is read again; npm run reread -- stop says that it is not.';
comment on column runtime.restarts is 'Every node renews its workers when this has risen.';

comment on table nodes is 'The processes of the service, and what each last said of itself.';
comment on column nodes.progressed_at is 'When it was last seen to have settled a batch.';

comment on table scope_metrics is
  'What happened in a scope, in slots of five minutes that are used in turn: a fixed size for each scope. The histograms waiting,
   processing and total have four buckets for each doubling of milliseconds: bucket 1 is below 2^(1/4) ms, the last has the rest.';

comment on table events is
  'The log of all that happened, which streams are fed from. Ids rise in the order of commits, because whoever writes events takes
   one lock just before the commit.';
comment on index events_by_scope is
  'It finds the events of a scope after an id, without reading past those of everybody else, for streams that resume. It has a
   hash, since that is a quarter of the size of the names, and every document that is accepted writes one.';
comment on index events_by_tenant is
  'The same for the events of all scopes of a tenant.';

comment on table event_log is 'Up to which id the log was trimmed: one row.';

comment on table audit_log is
  'Who changed what, from where, and what it was before: a row for each change, written in its transaction. Nothing changes a row,
   and none goes before its time, whoever asks. Of keys it has the public beginning, and of texts nothing.';
comment on column audit_log.at is
  'The clock of Postgres, read under the lock that whoever writes here takes: rows come in this order, unless that clock goes back.';
comment on column audit_log.actor is
  'By what it is searched for: the beginning of the key, the setting of a bootstrap key, or who it was that has none.';
comment on column audit_log.subject is 'Which document, contradiction or key, where it is about one.';
comment on index audit_log_by_tenant is
  'Pages and exports read a range of the index of what they ask for, and nothing else; so they cost the same however long the log is.';

comment on table purges is
  'Scopes that were deleted or reset and have left rows behind, whoever did it. Resetting a scope leaves rows of past generations,
   deleting it leaves those of all.';
comment on column purges.generation is 'The last of the generations to go.';

comment on table document_purges is
  'Documents that were deleted and had very many versions: those that a newer one had superseded are purged in pieces. No document is
   shown, found or given a number by them. A document that comes again under the same id begins with version 1, and whoever stores
   it purges the versions whose numbers it takes.';
comment on column document_purges.from_version is 'Versions from this one on are not to be seen; those below are of the document that came again.';
comment on column document_purges.up_to_version is 'The last version to go.';

comment on table schema_versions is
  'Which of the files of migrations/ were applied. The highest version is the version of the schema; a new database begins with
   the row of baseline.sql.';
comment on column schema_versions.release is
  'Which release applied it. That one and the one before may start on this database.';
comment on table schema_migrations is
  'What release 1 has applied, and the newest migration that later ones have found applied, by which it and 0.1.0 refuse to start. It stays for good: without it they
   would take the database for a new one.';
comment on table schema_files is
  'Which texts of src/storage/functions, comments.sql and retired.sql were applied last; a file whose text has changed is applied
   again.';
comment on column schema_files.release is
  'Which release applied it. A replica of an older release that starts beside that one leaves it as it is.';
