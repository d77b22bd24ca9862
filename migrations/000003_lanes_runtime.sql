-- Lanes and their leases, the turns of tenants, the runtime's state at its three levels, nodes, and figures per scope.

-- Two stored states are shown as another one. They keep rows that cannot go on out of the way of those that can, so that
-- nobody reads past them: `registered` (shown as pending) has no text and is never processed; `retrying` (shown as queued)
-- has failed and waits for `not_before`. What is being processed is not written to its row at all: the lane knows.
alter table documents drop constraint documents_state_check;
alter table documents add column not_before timestamptz;
update documents set state = 'registered'
  from document_contents c
 where c.scope_key = documents.scope_key and c.generation = documents.generation and c.seq = documents.seq
   and documents.state = 'pending' and c.text is null;
alter table documents add constraint documents_state_check
  check (state in ('registered', 'pending', 'queued', 'retrying', 'processed', 'failed', 'superseded'));
create index documents_to_retry on documents (scope_key, generation, not_before) where state = 'retrying';

alter table scopes rename column processing to retrying;
alter table scopes
  add column registered bigint not null default 0,
  add column state_set_by text,
  add column state_set_at timestamptz;
update scopes set registered = entries.n, pending = pending - entries.n
  from (select scope_key, generation, count(*) as n from documents where state = 'registered' group by 1, 2) entries
 where entries.scope_key = scopes.scope_key and entries.generation = scopes.generation;

alter table tenants
  add column state text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  add column state_set_by text,
  add column state_set_at timestamptz;

-- The whole runtime: one row.
create table runtime (
  only_one     boolean primary key default true check (only_one),
  state        text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  -- Every node renews its workers when this has risen.
  restarts     int not null default 0,
  state_set_by text,
  state_set_at timestamptz not null default now()
);
insert into runtime default values;

-- A lane is a scope with documents to process: the row comes with the first of them and goes with the last.
-- Whoever locks both locks the scope first.
create table lanes (
  scope_key  bigint primary key references scopes (scope_key) on delete cascade,
  tenant_id  text not null,
  scope_id   text not null,
  generation int not null,
  -- The scope itself is paused or stopped.
  held       boolean not null,
  -- When it may be taken. Whoever waits longest is next. Of a leased lane it is the end of the lease.
  ready_at   timestamptz not null,
  holder     text,
  -- Another one with each lease: with the holder, the fence of everything that is written under the lease.
  epoch      bigint not null default 0,
  -- What the holder works on, by seq, and since when.
  claimed    bigint[] not null default '{}',
  claimed_at timestamptz,
  -- How many documents to take one at a time, because a lease on so many ran out: one of them may be the reason.
  suspects   int not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index lanes_by_turn on lanes (tenant_id, ready_at) where not held;
create index lanes_in_work on lanes (tenant_id) where holder is not null;
create index lanes_by_readiness on lanes (ready_at) where not held;
-- From a sequence, since a lane's row comes and goes.
create sequence lane_epochs;

-- Tenants take turns: the one served longest ago is next. Only a busy one can have lanes.
create table tenant_turns (
  tenant_id text primary key references tenants on delete cascade,
  served_at timestamptz not null default '-infinity',
  busy      boolean not null default true
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index tenant_turns_in_order on tenant_turns (served_at) where busy;

create table nodes (
  node_id    text primary key,
  role       text not null,
  started_at timestamptz not null default now(),
  seen_at    timestamptz not null default now(),
  -- When it was last seen to have settled a batch.
  progressed_at timestamptz,
  report     jsonb not null
);

-- What happened in a scope, in slots of five minutes that are used in turn: a fixed size for each scope. The histograms
-- have four buckets for each doubling of milliseconds: bucket 1 is below 2^(1/4) ms, the last has the rest.
create table scope_metrics (
  scope_key  bigint not null references scopes (scope_key) on delete cascade,
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

-- Resetting a scope leaves rows of past generations behind, deleting it leaves those of all.
alter table purges add column generation int not null default 2147483647;
create or replace function leave_to_purge() returns trigger language plpgsql as $$
begin
  insert into purges (scope_key) values (old.scope_key)
  on conflict (scope_key) do update set generation = excluded.generation;
  return null;
end $$;

-- For scopes that the transaction has locked and that have documents to process now: their lanes, ready at once.
create function awaken_lanes(keys bigint[]) returns void language plpgsql as $$
begin
  if cardinality(keys) = 0 then return; end if;
  insert into lanes (scope_key, tenant_id, scope_id, generation, held, ready_at)
  select scope_key, tenant_id, scope_id, generation, state <> 'running', clock_timestamp()
    from scopes where scope_key = any (keys) order by scope_key
  -- A lane that waited for retries only. One that is in work is made ready by whoever works on it.
  on conflict (scope_key) do update set ready_at = least(lanes.ready_at, excluded.ready_at) where lanes.holder is null;
  insert into tenant_turns (tenant_id)
  select distinct tenant_id from scopes where scope_key = any (keys) order by tenant_id
  on conflict (tenant_id) do update set busy = true where not tenant_turns.busy;
end $$;

create or replace function accept_new_documents(wanted json, rows json, contents json)
returns table (first_seqs float8[], awakened boolean[]) language plpgsql as $$
declare
  tenants text[];
  names text[];
  keys bigint[];
  generations int[];
  firsts bigint[];
  awake boolean[];
  awake_keys bigint[];
begin
  -- Locked in one order for everybody, so that two flushes cannot wait for each other.
  with locked as materialized (
    select w.*, scope_key, generation, next_seq, s.queued as queued_before
      from json_to_recordset(wanted)
             as w (at int, tenant_id text, scope_id text, documents int, registered int, pending int, queued int)
      join scopes s using (tenant_id, scope_id)
     order by tenant_id, scope_id for no key update of s
  ), bumped as (
    update scopes s set next_seq = s.next_seq + l.documents, registered = s.registered + l.registered,
                        pending = s.pending + l.pending, queued = s.queued + l.queued
      from locked l where s.scope_key = l.scope_key
  )
  select array_agg(tenant_id order by at), array_agg(scope_id order by at), array_agg(scope_key order by at),
         array_agg(generation order by at), array_agg(next_seq order by at),
         array_agg(queued > 0 and queued_before = 0 order by at),
         coalesce(array_agg(scope_key) filter (where queued > 0 and queued_before = 0), '{}')
    into tenants, names, keys, generations, firsts, awake, awake_keys
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

  perform awaken_lanes(awake_keys);

  perform lock_events();
  insert into events (type, tenant_id, scope_id, payload)
  select case state when 'queued' then 'document.queued' else 'document.accepted' end, tenants[at], names[at],
         json_build_object('document_id', document_id, 'version', 1, 'seq', firsts[at] + k)
    from json_to_recordset(rows) as r (at int, k int, document_id text, state text);

  return query select firsts::float8[], awake;
end $$;

-- Leases the lane that is next: of the tenant served longest ago that has one ready and fewer than `most_per_tenant` in
-- work, the one that has waited longest. Takes are made one at a time, or two could overrun the cap together. A lease
-- lost in a crash of Postgres is only a batch done again, so nobody waits for it to reach the disk.
create function take_lane(worker text, lease_ms int, most_per_tenant int)
returns table (scope_key bigint, tenant_id text, scope_id text, generation int, epoch bigint, suspects int)
language plpgsql as $$
#variable_conflict use_column
declare
  candidate text;
  lane lanes%rowtype;
  -- In a variable: a condition on a function that changes cannot be looked up in an index.
  moment timestamptz;
begin
  if (select state from runtime) <> 'running' then return; end if;
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(7213003);
  moment := clock_timestamp();
  for candidate in
    select turn.tenant_id from tenant_turns turn join tenants using (tenant_id)
     where turn.busy and tenants.state = 'running'
       and exists (select from lanes
                    where lanes.tenant_id = turn.tenant_id and not lanes.held and lanes.ready_at <= moment)
     order by turn.served_at
  loop
    continue when most_per_tenant <= (
      select count(*) from lanes
       where lanes.tenant_id = candidate and holder is not null and ready_at > moment);
    select * into lane from lanes
     where lanes.tenant_id = candidate and not held and ready_at <= moment
     order by ready_at limit 1 for update skip locked;
    continue when not found;

    if lane.holder is not null then
      -- Its last holder vanished. A document that it had alone is counted a failed attempt.
      lane.suspects := greatest(lane.suspects, cardinality(lane.claimed));
      if cardinality(lane.claimed) = 1 then
        update documents d set attempts = attempts + 1, error = 'The worker vanished while it processed this document.'
         where d.scope_key = lane.scope_key and d.generation = lane.generation and d.seq = lane.claimed[1]
           and d.state in ('queued', 'retrying');
      end if;
    end if;
    update tenant_turns turn set served_at = clock_timestamp() where turn.tenant_id = candidate;
    return query
      update lanes set holder = worker, epoch = nextval('lane_epochs'), claimed = '{}', claimed_at = null,
                       suspects = lane.suspects, ready_at = clock_timestamp() + lease_ms * interval '1 ms'
       where lanes.scope_key = lane.scope_key
      returning lanes.scope_key, lanes.tenant_id, lanes.scope_id, lanes.generation, lanes.epoch, lanes.suspects;
    return;
  end loop;
end $$;

-- Claims for the holder of a lease the next documents in order of seq, up to a number and a size, at least one: those
-- that are queued, and those whose time to be tried again has come, the longest due first when not all fit.
create function claim_documents(lane bigint, worker text, its_epoch bigint, most int, most_bytes bigint)
returns table (seq float8, document_id text, version int, attempts int, name text, type text, text text)
language plpgsql as $$
#variable_conflict use_column
declare
  its_generation int;
  seqs bigint[];
  moment timestamptz := clock_timestamp();
begin
  perform set_config('synchronous_commit', 'off', true);
  select generation into its_generation from lanes
   where scope_key = lane and holder = worker and epoch = its_epoch and ready_at > moment for update;
  if not found then return; end if;

  select coalesce(array_agg(chosen.seq), '{}') into seqs from (
    select due.seq, sum(octet_length(c.text)) over (order by due.seq) as bytes, row_number() over (order by due.seq) as nth
      from (
        -- Not an equality, and ordered by the state too: while most documents are queued, the planner would walk the
        -- primary key, past all that are processed already.
        (select d.seq from documents d
          where d.scope_key = lane and d.generation = its_generation and d.state between 'queued' and 'queued'
          order by d.state, d.seq limit most)
        union all
        (select d.seq from documents d
          where d.scope_key = lane and d.generation = its_generation and d.state = 'retrying'
            and d.not_before <= moment order by d.not_before limit most)
        order by 1 limit most
      ) due
      join document_contents c on c.scope_key = lane and c.generation = its_generation and c.seq = due.seq
  ) chosen where chosen.nth = 1 or chosen.bytes <= most_bytes;

  update lanes set claimed = seqs, claimed_at = clock_timestamp() where scope_key = lane;
  return query
    select d.seq::float8, d.document_id, d.version, d.attempts::int, c.name, c.type, c.text
      from unnest(seqs) as wanted (seq)
      join documents d on d.scope_key = lane and d.generation = its_generation and d.seq = wanted.seq
      join document_contents c on c.scope_key = lane and c.generation = its_generation and c.seq = wanted.seq
     order by d.seq;
end $$;

-- Ends a lease with what became of its documents, `results`: {seq, tried, error, retry_ms}, the error null for what
-- succeeded, retry_ms null when there is to be no further attempt. All of it happens or, when the lease is no longer held, none.
-- Returns no row then; otherwise what became of the documents, and whether the tenant has a lane that is ready now.
create function settle_batch(lane bigint, worker text, its_epoch bigint, results json)
returns table (processed int, failed int, retried int, superseded int, more boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  lease lanes%rowtype;
  counters scopes%rowtype;
  settled_at timestamptz;
  seqs bigint[];
  ids text[];
  versions int[];
  before text[];
  after text[];
  tries int[];
  errors text[];
  retry_at timestamptz[];
  finished_since timestamptz[];
  older_seqs bigint[] := '{}';
  older_before text[] := '{}';
  older_ids text[];
  older_versions int[];
  n_processed int;
  n_failed int;
  n_retried int;
  n_superseded int;
  any_ready boolean;
  moment timestamptz;
begin
  perform from scopes where scope_key = lane for no key update;
  settled_at := clock_timestamp();
  select * into lease from lanes
   where scope_key = lane and holder = worker and epoch = its_epoch and ready_at > settled_at for update;
  if not found then return; end if;

  -- What was deleted meanwhile is no longer there to be settled.
  with result as materialized (
    select d.seq, d.document_id, d.version, d.state, d.attempts + r.tried::int as attempts, d.queued_at, r.error, r.retry_ms,
           max(d.version) filter (where r.error is null) over (partition by d.document_id) as newest
      from json_to_recordset(results) as r (seq bigint, tried boolean, error text, retry_ms int)
      join documents d on d.scope_key = lane and d.generation = lease.generation and d.seq = r.seq
                      and d.state in ('queued', 'retrying')
  )
  select coalesce(array_agg(seq), '{}'), array_agg(document_id), array_agg(version), array_agg(state),
         array_agg(case when version < newest then 'superseded' when error is null then 'processed'
                        when retry_ms is null then 'failed' else 'retrying' end),
         array_agg(attempts), array_agg(case when version < newest then null else error end),
         array_agg(case when version < newest or error is null or retry_ms is null then null
                        else settled_at + retry_ms * interval '1 ms' end),
         -- Of those that are done, for better or worse.
         array_agg(queued_at) filter (where (newest is null or version >= newest) and (error is null or retry_ms is null))
    into seqs, ids, versions, before, after, tries, errors, retry_at, finished_since
    from result;

  update documents d
     set state = r.state, attempts = r.attempts, error = r.error, not_before = r.not_before,
         started_at = lease.claimed_at, finished_at = case when r.state <> 'retrying' then settled_at end
    from unnest(seqs, after, tries, errors, retry_at) as r (seq, state, attempts, error, not_before)
   where d.scope_key = lane and d.generation = lease.generation and d.seq = r.seq;

  -- Below the newest processed version everything is superseded, whatever it was.
  if exists (select from unnest(after, versions) as r (state, version) where state = 'processed' and version > 1) then
    select coalesce(array_agg(d.seq), '{}'), array_agg(d.state), array_agg(d.document_id), array_agg(d.version)
      into older_seqs, older_before, older_ids, older_versions
      from unnest(ids, versions, after) as r (document_id, version, state)
      join documents d on d.scope_key = lane and d.generation = lease.generation and d.document_id = r.document_id
                      and d.version < r.version and d.state <> 'superseded'
     where r.state = 'processed' and r.version > 1;
    update documents d set state = 'superseded', not_before = null, finished_at = settled_at
     where d.scope_key = lane and d.generation = lease.generation and d.seq = any (older_seqs);
  end if;

  select count(*) filter (where state = 'processed'), count(*) filter (where state = 'failed'),
         count(*) filter (where state = 'retrying'), count(*) filter (where state = 'superseded')
    into n_processed, n_failed, n_retried, n_superseded from unnest(after) state;
  n_superseded := n_superseded + cardinality(older_seqs);
  update scopes s
     set registered = s.registered - left_state.registered, pending = s.pending - left_state.pending,
         queued = s.queued - left_state.queued, retrying = s.retrying - left_state.retrying + n_retried,
         processed = s.processed - left_state.processed + n_processed,
         failed = s.failed - left_state.failed + n_failed, superseded = s.superseded + n_superseded
    from (select count(*) filter (where state = 'registered') as registered,
                 count(*) filter (where state = 'pending') as pending,
                 count(*) filter (where state = 'queued') as queued,
                 count(*) filter (where state = 'retrying') as retrying,
                 count(*) filter (where state = 'processed') as processed,
                 count(*) filter (where state = 'failed') as failed
            from unnest(before || older_before) state) left_state
   where s.scope_key = lane
  returning s.* into counters;

  if cardinality(seqs) > 0 then
    perform note_metrics(lane, lease.claimed_at, settled_at, finished_since, n_processed, n_failed, n_retried);
  end if;

  if counters.queued + counters.retrying = 0 then
    delete from lanes where scope_key = lane;
    if not exists (select from lanes where tenant_id = lease.tenant_id) then
      -- Whoever adds a lane locks this row: looked at again under its lock, no lane can be missed.
      perform from tenant_turns where tenant_id = lease.tenant_id for update;
      update tenant_turns set busy = false
       where tenant_id = lease.tenant_id and not exists (select from lanes where tenant_id = lease.tenant_id);
    end if;
  else
    update lanes
       set holder = null, claimed = '{}', claimed_at = null, suspects = greatest(0, suspects - cardinality(seqs)),
           -- At the back of the line, or when the first of those that wait may be tried again.
           ready_at = case when counters.queued > 0 then clock_timestamp() else greatest(clock_timestamp(),
             (select min(not_before) from documents d
               where d.scope_key = lane and d.generation = lease.generation and d.state = 'retrying')) end
     where scope_key = lane;
  end if;
  moment := clock_timestamp();
  any_ready := exists (
    select from lanes where tenant_id = lease.tenant_id and not lanes.held and ready_at <= moment);

  if cardinality(seqs) > 0 then
    perform lock_events();
    insert into events (type, tenant_id, scope_id, payload)
    select 'document.' || state, lease.tenant_id, lease.scope_id,
           case when error is null
             then json_build_object('document_id', document_id, 'version', version, 'seq', seq)
             else json_build_object('document_id', document_id, 'version', version, 'seq', seq, 'error', error) end
      from (select seq, document_id, version, state, error
              from unnest(seqs, ids, versions, after, errors) as r (seq, document_id, version, state, error)
             where state <> 'retrying'
            union all
            select seq, document_id, version, 'superseded', null
              from unnest(older_seqs, older_ids, older_versions) as r (seq, document_id, version)
            order by seq) happened;
  end if;
  return query select n_processed, n_failed, n_retried, n_superseded, any_ready;
end $$;

-- Counts what a batch finished into the slot of this moment, emptied first when it was last used for another. In loops,
-- since a query for each histogram took longer than all the rest of a small batch.
create function note_metrics(scope bigint, claimed_at timestamptz, settled_at timestamptz, queued_since timestamptz[],
                             n_processed int, n_failed int, n_retried int) returns void language plpgsql as $$
declare
  begins timestamptz := to_timestamp(floor(date_part('epoch', settled_at) / 300) * 300);
  its_slot smallint := (floor(date_part('epoch', settled_at) / 300)::bigint % 4)::smallint;
  waits int[];
  works int[];
  totals int[];
  since timestamptz;
  at int;
begin
  select waiting, processing, total into waits, works, totals from scope_metrics
   where scope_key = scope and slot = its_slot and starts_at = begins;
  if not found then
    waits := array_fill(0, array[108]);
    works := waits;
    totals := waits;
  end if;
  at := latency_bucket(claimed_at, settled_at);
  works[at] := works[at] + coalesce(cardinality(queued_since), 0);
  foreach since in array coalesce(queued_since, '{}') loop
    at := latency_bucket(since, claimed_at);
    waits[at] := waits[at] + 1;
    at := latency_bucket(since, settled_at);
    totals[at] := totals[at] + 1;
  end loop;
  insert into scope_metrics as m
    values (scope, its_slot, begins, n_processed, n_failed, n_retried, waits, works, totals)
  on conflict (scope_key, slot) do update
     set processed = n_processed + case when m.starts_at = begins then m.processed else 0 end,
         failed = n_failed + case when m.starts_at = begins then m.failed else 0 end,
         retried = n_retried + case when m.starts_at = begins then m.retried else 0 end,
         starts_at = begins, waiting = waits, processing = works, total = totals;
end $$;

create function latency_bucket(since timestamptz, until timestamptz) returns int language sql immutable as $$
  select least(108, 1 + floor(4 * ln(greatest(date_part('epoch', until - since) * 1000, 1)) / ln(2))::int)
$$;

-- Where a scope's documents since some time begin: seq rises with the time of acceptance, so a few looks are enough.
create function first_seq_since(scope bigint, its_generation int, since timestamptz) returns bigint
language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := (select next_seq from scopes where scope_key = scope);
  middle bigint;
  found_seq bigint;
  found_at timestamptz;
begin
  while low < high loop
    middle := (low + high) / 2;
    select seq, accepted_at into found_seq, found_at from documents
     where scope_key = scope and generation = its_generation and seq >= middle order by seq limit 1;
    if not found or found_at >= since then high := middle;
    else low := found_seq + 1;
    end if;
  end loop;
  return low;
end $$;
