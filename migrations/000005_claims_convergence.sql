-- What documents say: their claims and the keys they are found by, groups of claims with their values, the contradictions
-- that were detected, and how far each scope has converged.

alter table documents
  add column claims   int,
  -- What a reader of the document should know: it was read as text, or not by the extractor that was asked.
  add column warnings text[];

-- Where a scope's queued documents begin: without it, a look for the first of them walks past the index entries of all that
-- were processed since the last vacuum.
alter table scopes add column queued_from bigint not null default 0;

alter table scopes
  add column claims          bigint not null default 0,
  -- Claims on the same thing; those of two or more documents, or in dispute; those with an open contradiction.
  add column groups          bigint not null default 0,
  add column groups_shared   bigint not null default 0,
  add column groups_disputed bigint not null default 0,
  add column contradictions_critical bigint not null default 0,
  -- How many points its convergence has had, and what the last one said.
  add column points      bigint not null default 0,
  add column convergence text not null default 'empty';

-- One for the newest processed version of each document.
create table readings (
  scope_key     bigint not null,
  generation    int not null,
  seq           bigint not null,
  document_id   text not null,
  -- Of the document's id, 52 bits: decides which documents are compared where too many have a key, in any order of arrival.
  document_hash bigint not null,
  -- JSON, as the pipeline wrote it: only the pipeline reads it.
  claims        text not null,
  keys          bigint[] not null,
  groups        bigint[] not null,
  -- What is claimed in each of the groups, by its place.
  group_values  bigint[] not null,
  primary key (scope_key, generation, seq)
);

create table claim_keys (
  scope_key     bigint not null,
  generation    int not null,
  key           bigint not null,
  document_hash bigint not null,
  seq           bigint not null,
  primary key (scope_key, generation, key, document_hash, seq)
);

create table claim_groups (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  documents  int not null,
  -- Open contradictions.
  disputes   int not null default 0,
  -- The value that most documents give, and the point at which it last became another.
  leader     bigint,
  changed_at bigint,
  primary key (scope_key, generation, group_key)
) with (fillfactor = 80);
create index claim_groups_changed on claim_groups (scope_key, generation, changed_at) where changed_at is not null;

create table claim_values (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  value_key  bigint not null,
  documents  int not null,
  primary key (scope_key, generation, group_key, value_key)
);
create index claim_values_leading on claim_values (scope_key, generation, group_key, documents desc, value_key);

-- A detected contradiction has two sides, each a claim of a document. Its pair is made of the documents and what they say,
-- so that a new version that says the same keeps it.
alter table contradictions
  add column document_a text,
  add column document_b text,
  add column seq_a      bigint,
  add column seq_b      bigint,
  add column span_a     int[],
  add column span_b     int[],
  add column group_a    bigint,
  add column group_b    bigint,
  add column value_a    bigint,
  add column value_b    bigint,
  -- The side that a resolution upholds; null when it names none.
  add column upheld     text check (upheld in ('a', 'b')),
  add constraint contradictions_with_sides
    check ((origin = 'detected') = (num_nulls(seq_a, seq_b, span_a, span_b, group_a, group_b, value_a, value_b) = 0));
create index contradictions_by_side_a on contradictions (scope_key, generation, seq_a) where origin = 'detected';
create index contradictions_by_side_b on contradictions (scope_key, generation, seq_b) where origin = 'detected';
create index contradictions_settled_a on contradictions (scope_key, generation, group_a, value_a)
  where origin = 'detected' and status = 'resolved';
create index contradictions_settled_b on contradictions (scope_key, generation, group_b, value_b)
  where origin = 'detected' and status = 'resolved';
create index contradictions_critical on contradictions (scope_key, generation, ordinal)
  where status = 'open' and severity = 'critical';
update scopes set contradictions_critical = n
  from (select scope_key, generation, count(*) as n from contradictions
         where status = 'open' and severity = 'critical' group by 1, 2) open
 where open.scope_key = scopes.scope_key and open.generation = scopes.generation;

-- One for each batch and each decision, numbered; the last hundred of a scope are kept.
create table convergence_points (
  scope_key     bigint not null references scopes (scope_key) on delete cascade,
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

-- From here on without sequential scans: these tables grow from nothing, and a plan that was made while one was small is
-- kept for long after.

-- For each of these keys that any document has, those that come first by their hash: [key, hashes, seqs]. Only [key] when so
-- many come before `lowest`, the lowest hash that would be added to it, that nothing can change.
create function list_postings(scope bigint, its_generation int, keys bigint[], lowest bigint[], cap int, most int)
returns json language sql stable set enable_seqscan = off as $$
  select coalesce(json_agg(case when hashes[cap] < low then json_build_array(key)
                                else json_build_array(key, hashes, seqs) end), '[]')
    from unnest(keys, lowest) as wanted (key, low)
   cross join lateral (
     select array_agg(document_hash) as hashes, array_agg(seq) as seqs from (
       select p.document_hash, p.seq from claim_keys p
        where p.scope_key = scope and p.generation = its_generation and p.key = wanted.key
        order by p.document_hash, p.seq limit most) first) found
   where hashes is not null
$$;

-- How many of these groups there are, how many count as shared, how many are in dispute.
create function count_groups(scope bigint, its_generation int, wanted bigint[]) returns int[] language sql stable set enable_seqscan = off as $$
  select array[count(*), count(*) filter (where documents > 1 or disputes > 0), count(*) filter (where disputes > 0)]::int[]
    from claim_groups where scope_key = scope and generation = its_generation and group_key = any (wanted)
$$;

-- Adds readings to the groups of their claims, or takes them away.
create function count_readings(scope bigint, its_generation int, seqs bigint[], step int) returns void
language plpgsql set enable_seqscan = off as $$
begin
  if cardinality(seqs) = 0 then return; end if;
  insert into claim_groups as g (scope_key, generation, group_key, documents)
  select scope, its_generation, said.group_key, step * count(distinct r.seq)
    from readings r cross join lateral unnest(r.groups) as said (group_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   group by said.group_key order by said.group_key
  on conflict (scope_key, generation, group_key) do update set documents = g.documents + excluded.documents;
  insert into claim_values as v (scope_key, generation, group_key, value_key, documents)
  select scope, its_generation, said.group_key, said.value_key, step * count(distinct r.seq)
    from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs)
   group by said.group_key, said.value_key order by said.group_key, said.value_key
  on conflict (scope_key, generation, group_key, value_key) do update set documents = v.documents + excluded.documents;
end $$;

-- One more or one less open contradiction for the groups of these.
create function count_disputes(scope bigint, its_generation int, ids text[], step int) returns void
language plpgsql set enable_seqscan = off as $$
begin
  if coalesce(cardinality(ids), 0) = 0 then return; end if;
  update claim_groups g set disputes = disputes + step * n
    from (select side.group_key, count(*) as n
            from contradictions c cross join lateral (select c.group_a union select c.group_b) as side (group_key)
           where c.contradiction_id = any (ids) group by 1) open
   where g.scope_key = scope and g.generation = its_generation and g.group_key = open.group_key;
end $$;

-- One that was open and is decided: a dispute less for its groups. Of a locked scope.
create function close_dispute(scope bigint, its_generation int, id text) returns void language plpgsql set enable_seqscan = off as $$
declare
  touched bigint[] := array(select group_a from contradictions where contradiction_id = id
                            union select group_b from contradictions where contradiction_id = id);
  before int[] := count_groups(scope, its_generation, touched);
  after int[];
begin
  perform count_disputes(scope, its_generation, array[id], -1);
  after := count_groups(scope, its_generation, touched);
  update scopes
     set groups_shared = groups_shared + after[2] - before[2], groups_disputed = groups_disputed + after[3] - before[3],
         contradictions_critical = contradictions_critical
           - (select (severity = 'critical')::int from contradictions where contradiction_id = id)
   where scope_key = scope;
end $$;

-- What measuring needs: counters only. `changed` is looked up by its own index, and is about the last five points.
create function convergence_counts(scope bigint) returns json language sql stable as $$
  select json_build_object(
    'point', points + 1, 'status', convergence, 'groups', groups, 'shared', groups_shared, 'disputed', groups_disputed,
    'critical', contradictions_critical, 'processed', processed,
    'expected', pending + queued + retrying + processed + failed,
    'changed', (select count(*) from claim_groups g
                 where g.scope_key = scope and g.generation = scopes.generation and g.changed_at > scopes.points - 4),
    'recent', (select coalesce(json_agg(p order by p.point), '[]')
                 from (select * from convergence_points where scope_key = scope order by point desc limit 6) p))
    from scopes where scope_key = scope
$$;

create function note_point(scope bigint, point json, new_status text, events json) returns text
language plpgsql as $$
declare
  nth bigint;
begin
  update scopes set points = points + 1, convergence = new_status where scope_key = scope returning points into nth;
  insert into convergence_points (scope_key, point, agreement, coverage, stability, corroboration, score, disagreement)
  select scope, nth, agreement, coverage, stability, corroboration, score, disagreement
    from json_to_record(point) as p (agreement float8, coverage float8, stability float8, corroboration float8,
                                     score float8, disagreement float8);
  delete from convergence_points where scope_key = scope and convergence_points.point <= nth - 100;
  return append_events(events);
end $$;

-- Takes readings away with all that came from them, except contradictions that others of their documents' versions have
-- taken over. Of a locked scope. Returns the contradictions that are retracted.
create function forget_readings(scope bigint, its_generation int, seqs bigint[], retracted text[]) returns json
language plpgsql set enable_seqscan = off as $$
declare
  gone json;
  open_ones text[];
  touched bigint[];
  before int[];
  after int[];
  n_claims bigint;
  n_open int;
  n_resolved int;
  n_deferred int;
  n_critical int;
begin
  retracted := coalesce(retracted, '{}') || array(
    select contradiction_id from contradictions
     where scope_key = scope and generation = its_generation and origin = 'detected' and seq_a = any (seqs)
    union
    select contradiction_id from contradictions
     where scope_key = scope and generation = its_generation and origin = 'detected' and seq_b = any (seqs));
  if cardinality(seqs) = 0 and cardinality(retracted) = 0 then return '[]'; end if;

  touched := array(
    select unnest(groups) from readings where scope_key = scope and generation = its_generation and seq = any (seqs)
    union select group_a from contradictions where contradiction_id = any (retracted)
    union select group_b from contradictions where contradiction_id = any (retracted));
  before := count_groups(scope, its_generation, touched);

  select count(*) filter (where status = 'open'), count(*) filter (where status = 'resolved'),
         count(*) filter (where status = 'deferred'), count(*) filter (where status = 'open' and severity = 'critical'),
         array_agg(contradiction_id) filter (where status = 'open'),
         json_agg(json_build_object('contradiction_id', contradiction_id, 'severity', severity,
                                    'document_ids', document_ids) order by ordinal)
    into n_open, n_resolved, n_deferred, n_critical, open_ones, gone
    from contradictions where scope_key = scope and generation = its_generation and contradiction_id = any (retracted);
  perform count_disputes(scope, its_generation, open_ones, -1);
  delete from contradictions
   where scope_key = scope and generation = its_generation and contradiction_id = any (retracted);

  perform count_readings(scope, its_generation, seqs, -1);
  delete from claim_values
   where scope_key = scope and generation = its_generation and group_key = any (touched) and documents <= 0;
  delete from claim_groups
   where scope_key = scope and generation = its_generation and group_key = any (touched) and documents <= 0;
  delete from claim_keys k using readings r, unnest(r.keys) as its (key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (seqs) and k.scope_key = scope
     and k.generation = its_generation and k.key = its.key and k.document_hash = r.document_hash and k.seq = r.seq;
  delete from readings where scope_key = scope and generation = its_generation and seq = any (seqs);
  perform lead_groups(scope, its_generation, touched);

  after := count_groups(scope, its_generation, touched);
  select coalesce(sum(claims), 0) into n_claims
    from documents where scope_key = scope and generation = its_generation and seq = any (seqs);
  update scopes
     set claims = claims - n_claims, groups = groups + after[1] - before[1],
         groups_shared = groups_shared + after[2] - before[2], groups_disputed = groups_disputed + after[3] - before[3],
         contradictions_open = contradictions_open - n_open, contradictions_resolved = contradictions_resolved - n_resolved,
         contradictions_deferred = contradictions_deferred - n_deferred,
         contradictions_critical = contradictions_critical - n_critical
   where scope_key = scope;
  update documents set claims = null where scope_key = scope and generation = its_generation and seq = any (seqs);
  return coalesce(gone, '[]');
end $$;

-- Says which value leads in each of these groups, and notes where it has become another.
create function lead_groups(scope bigint, its_generation int, wanted bigint[]) returns void
language sql set enable_seqscan = off as $$
  update claim_groups g
     set leader = first.value_key,
         changed_at = case when g.leader is null then g.changed_at else (select points + 1 from scopes where scope_key = scope) end
    from unnest(wanted) as its (group_key)
   cross join lateral (
     select value_key from claim_values v
      where v.scope_key = scope and v.generation = its_generation and v.group_key = its.group_key
      order by v.documents desc, v.value_key limit 1) first
   where g.scope_key = scope and g.generation = its_generation and g.group_key = its.group_key
     and g.leader is distinct from first.value_key
$$;

-- What a batch found out: `readings` {seq, document_id, document_hash, claims, count, keys, groups, values, warnings}, `conflicts` between them and
-- others, and `dropped`, the contradictions whose documents are no longer looked at together. Only what the batch made
-- processed counts, and only while the other side is still there. `older` are the versions that it superseded.
-- Of a locked scope. Returns what became of contradictions, and the counts for measuring.
create function settle_findings(scope bigint, its_generation int, findings json, processed bigint[], older bigint[])
returns json language plpgsql set enable_seqscan = off as $$
declare
  touched bigint[];
  others bigint[];
  before int[];
  more int[];
  after int[];
  added text[] := '{}';
  reopened text[] := '{}';
  evidence text[] := '{}';
  n_claims bigint;
  n_critical int;
  gone json;
begin
  insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values)
  select scope, its_generation, r.seq, r.document_id, r.document_hash, r.claims, r.keys, r.groups, r.values
    from json_to_recordset(findings -> 'readings')
           as r (seq bigint, document_id text, document_hash bigint, claims text, keys bigint[], groups bigint[], values bigint[])
   where r.seq = any (processed);
  update documents d set claims = r.count, warnings = r.warnings
    from json_to_recordset(findings -> 'readings') as r (seq bigint, count int, warnings text[])
   where d.scope_key = scope and d.generation = its_generation and d.seq = r.seq and r.seq = any (processed);
  insert into claim_keys (scope_key, generation, key, document_hash, seq)
  select scope, its_generation, its.key, r.document_hash, r.seq
    from readings r cross join lateral unnest(r.keys) as its (key)
   where r.scope_key = scope and r.generation = its_generation and r.seq = any (processed)
   order by 3, 4, 5;

  touched := array(
    select unnest(groups) from readings where scope_key = scope and generation = its_generation and seq = any (processed)
    union select group_a from json_to_recordset(findings -> 'conflicts') as c (group_a bigint)
    union select group_b from json_to_recordset(findings -> 'conflicts') as c (group_b bigint));
  before := count_groups(scope, its_generation, touched);
  perform count_readings(scope, its_generation, processed, 1);

  if json_array_length(findings -> 'conflicts') > 0 then
    with found as (
      insert into contradictions as c (
        scope_key, generation, contradiction_id, pair_sha256, claim_a, claim_b, source_a, source_b, document_ids, subject,
        attribute, severity, origin, reason, document_a, document_b, seq_a, seq_b, span_a, span_b, group_a, group_b,
        value_a, value_b)
      select scope, its_generation, w.contradiction_id, decode(w.pair, 'base64'), w.claim_a, w.claim_b, ca.source, cb.source,
             array[a.document_id, b.document_id], w.subject, w.attribute, w.severity, 'detected', w.reason, a.document_id,
             b.document_id, w.seq_a, w.seq_b, w.span_a, w.span_b, w.group_a, w.group_b, w.value_a, w.value_b
        from json_to_recordset(findings -> 'conflicts')
               as w (contradiction_id text, pair text, claim_a text, claim_b text, subject text, attribute text, severity text,
                     reason text, seq_a bigint, seq_b bigint, span_a int[], span_b int[], group_a bigint, group_b bigint,
                     value_a bigint, value_b bigint)
        join readings a on a.scope_key = scope and a.generation = its_generation and a.seq = w.seq_a
        join readings b on b.scope_key = scope and b.generation = its_generation and b.seq = w.seq_b
        join document_contents ca on ca.scope_key = scope and ca.generation = its_generation and ca.seq = w.seq_a
        join document_contents cb on cb.scope_key = scope and cb.generation = its_generation and cb.seq = w.seq_b
       order by w.pair
      -- Said again by a new version: the same contradiction, decided as it was.
      on conflict (scope_key, generation, pair_sha256) do update
         set seq_a = excluded.seq_a, seq_b = excluded.seq_b, span_a = excluded.span_a, span_b = excluded.span_b
      returning contradiction_id, (xmax = 0) as is_new
    )
    select coalesce(array_agg(contradiction_id) filter (where is_new), '{}') into added from found;

    -- A resolution stands until a document from outside contradicts what it upholds.
    select coalesce(array_agg(id), '{}'), coalesce(array_agg(by), '{}') into reopened, evidence from (
      select distinct on (c.contradiction_id) c.contradiction_id as id, n.contradiction_id as by
        from contradictions n
       cross join lateral (values (n.group_a, n.value_a, n.document_b), (n.group_b, n.value_b, n.document_a))
               as upheld (group_key, value_key, witness)
        join contradictions c
          on c.scope_key = scope and c.generation = its_generation and c.origin = 'detected' and c.status = 'resolved'
         and (   (c.group_a = upheld.group_key and c.value_a = upheld.value_key and coalesce(c.upheld, 'a') = 'a')
              or (c.group_b = upheld.group_key and c.value_b = upheld.value_key and coalesce(c.upheld, 'b') = 'b'))
         and upheld.witness not in (c.document_a, c.document_b)
       where n.contradiction_id = any (added)
       order by c.contradiction_id, n.ordinal) against;
    others := array(
      (select group_a from contradictions where contradiction_id = any (reopened)
       union select group_b from contradictions where contradiction_id = any (reopened))
      except select unnest(touched));
    more := count_groups(scope, its_generation, others);
    before := array[before[1] + more[1], before[2] + more[2], before[3] + more[3]];
    touched := touched || others;
    update contradictions set status = 'open', resolution = null, resolved_by = null, resolved_at = null, upheld = null
     where contradiction_id = any (reopened);
  end if;

  select count(*) filter (where severity = 'critical') into n_critical
    from contradictions where contradiction_id = any (added || reopened);
  perform count_disputes(scope, its_generation, added || reopened, 1);
  perform lead_groups(scope, its_generation, touched);
  after := count_groups(scope, its_generation, touched);
  select coalesce(sum(claims), 0) into n_claims
    from documents where scope_key = scope and generation = its_generation and seq = any (processed);
  update scopes
     set claims = claims + n_claims, groups = groups + after[1] - before[1],
         groups_shared = groups_shared + after[2] - before[2], groups_disputed = groups_disputed + after[3] - before[3],
         contradictions_open = contradictions_open + cardinality(added) + cardinality(reopened),
         contradictions_resolved = contradictions_resolved - cardinality(reopened),
         contradictions_critical = contradictions_critical + n_critical
   where scope_key = scope;

  gone := forget_readings(
    scope, its_generation, older, array(select json_array_elements_text(findings -> 'dropped')));
  return json_build_object(
    'added', (select coalesce(json_agg(json_build_object('contradiction_id', contradiction_id, 'severity', severity,
                       'document_ids', document_ids) order by ordinal), '[]')
                from contradictions where contradiction_id = any (added)),
    'reopened', (select coalesce(json_agg(json_build_object('contradiction_id', id, 'evidence', by)), '[]')
                   from unnest(reopened, evidence) as r (id, by)),
    'retracted', gone,
    'counts', convergence_counts(scope));
end $$;

drop function settle_batch(bigint, text, bigint, json);

-- As before, with what the batch found out. The events are left to whoever commits: the log's lock comes last.
create function settle_batch(lane bigint, worker text, its_epoch bigint, results json, findings json)
returns table (processed int, failed int, retried int, superseded int, more boolean, events json, found json)
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
  happened json;
  found_out json;
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
         failed = s.failed - left_state.failed + n_failed, superseded = s.superseded + n_superseded,
         queued_from = coalesce(
           (select d.seq from documents d
             where d.scope_key = lane and d.generation = lease.generation and d.state between 'queued' and 'queued'
               and d.seq >= s.queued_from order by d.state, d.seq limit 1), s.next_seq)
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
  found_out := settle_findings(lane, lease.generation, findings,
                               array(select seq from unnest(seqs, after) as r (seq, state) where state = 'processed'),
                               older_seqs);

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

  select json_agg(json_build_object('type', 'document.' || state, 'tenant_id', lease.tenant_id, 'scope_id', lease.scope_id,
           'payload', case when error is null
             then json_build_object('document_id', document_id, 'version', version, 'seq', seq)
             else json_build_object('document_id', document_id, 'version', version, 'seq', seq, 'error', error) end))
    into happened
    from (select seq, document_id, version, state, error
            from unnest(seqs, ids, versions, after, errors) as r (seq, document_id, version, state, error)
           where state <> 'retrying'
          union all
          select seq, document_id, version, 'superseded', null
            from unnest(older_seqs, older_ids, older_versions) as r (seq, document_id, version)
          order by seq) happened;
  return query select n_processed, n_failed, n_retried, n_superseded, any_ready,
                      to_json(coalesce(happened, '[]')), found_out;
end $$;

-- Claims for the holder of a lease the next documents in order of seq, up to a number and a size, at least one: those
-- that are queued, and those whose time to be tried again has come, the longest due first when not all fit.
create or replace function claim_documents(lane bigint, worker text, its_epoch bigint, most int, most_bytes bigint)
returns table (seq float8, document_id text, version int, attempts int, name text, type text, text text)
language plpgsql as $$
#variable_conflict use_column
declare
  its_generation int;
  from_seq bigint;
  seqs bigint[];
  moment timestamptz := clock_timestamp();
begin
  perform set_config('synchronous_commit', 'off', true);
  select generation into its_generation from lanes
   where scope_key = lane and holder = worker and epoch = its_epoch and ready_at > moment for update;
  if not found then return; end if;
  select queued_from into from_seq from scopes where scope_key = lane;

  select coalesce(array_agg(chosen.seq), '{}') into seqs from (
    select due.seq, sum(octet_length(c.text)) over (order by due.seq) as bytes, row_number() over (order by due.seq) as nth
      from (
        -- Not an equality, and ordered by the state too: while most documents are queued, the planner would walk the
        -- primary key, past all that are processed already.
        (select d.seq from documents d
          where d.scope_key = lane and d.generation = its_generation and d.state between 'queued' and 'queued'
            and d.seq >= from_seq
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
