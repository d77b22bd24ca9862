-- Accepts new documents, in one statement and so in one round trip. `wanted` has each scope once, its place `at` counted from 1:
-- {at, tenant_id, scope_id}; `rows` has each document, as one of the scope `at`: {at, document_id, named, key, fingerprint,
-- state, content_sha256}, `named` if the caller chose its id; and `contents` the rest of each: {name, type, source, provenance,
-- text}. It waits up to `patience_ms` for a scope that is locked. A scope that stays locked, or that does not exist, keeps no
-- other from being accepted.
--
-- Returns the seq of each document, null for those that were left: their id or key is there already, or their scope is locked
-- or does not exist; for each scope whether it had nothing queued before and has now; and for each whether it is locked.
create or replace function accept_documents(wanted json, rows json, contents json, patience_ms int)
returns table (seqs float8[], awakened boolean[], locked boolean[])
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  of_tenants text[];
  names text[];
  keys bigint[];
  generations int[];
  firsts bigint[];
  queued_before bigint[];
  is_locked boolean[];
  free scopes;
  places int[];
  ids text[];
  states text[];
  numbers bigint[];
  awake boolean[];
begin
  -- Locked in one order for everybody, so that two flushes cannot wait for each other.
  select array_agg(w.tenant_id order by at), array_agg(w.scope_id order by at), array_agg(scope_key order by at),
         array_agg(generation order by at), array_agg(next_seq order by at), array_agg(queued order by at)
    into of_tenants, names, keys, generations, firsts, queued_before
    from (select * from json_to_recordset(wanted) as w (at int, tenant_id text, scope_id text)
           order by tenant_id, scope_id offset 0) w
    left join lateral (
      select scope_key, generation, next_seq, queued from scopes s
       where s.tenant_id = w.tenant_id and s.scope_id = w.scope_id limit 1 for no key update skip locked) s on true;

  is_locked := array_fill(false, array[cardinality(keys)]);
  if array_position(keys, null) is not null then
    select array_agg(
             w.key is null and exists (select from scopes s where s.tenant_id = w.tenant and s.scope_id = w.scope) order by at)
      into is_locked
      from unnest(of_tenants, names, keys) with ordinality as w (tenant, scope, key, at);
  end if;
  if true = any (is_locked) and patience_ms > 0 then
    begin
      perform set_config('lock_timeout', patience_ms::text, true);
      for place in 1 .. cardinality(keys) loop
        continue when not is_locked[place];
        select * into free from scopes s
         where s.tenant_id = of_tenants[place] and s.scope_id = names[place] for no key update;
        keys[place] := free.scope_key;
        generations[place] := free.generation;
        firsts[place] := free.next_seq;
        queued_before[place] := free.queued;
      end loop;
      perform set_config('lock_timeout', '0', true);
      is_locked := array_fill(false, array[cardinality(keys)]);
    exception when lock_not_available then
      -- Postgres has undone the locks of this loop, but not its assignments.
      for place in 1 .. cardinality(keys) loop
        if is_locked[place] then keys[place] := null; end if;
      end loop;
    end;
  end if;

  -- Nothing is stored for a tenant that is being purged; the first look is at an index that is empty nearly always.
  if exists (select from tenants where deleted_at is not null) then
    for place in 1 .. cardinality(keys) loop
      if exists (select from tenants t where t.tenant_id = of_tenants[place] and t.deleted_at is not null) then
        keys[place] := null;
      end if;
    end loop;
  end if;

  with given as materialized (
    select *,
           keys[at] is null
           or (key is not null and (
             select true from idempotency_keys k
              where k.tenant_id = of_tenants[at] and k.idempotency_key = key limit 1) is not null)
           or (named and (
             select true from documents d
              where d.scope_key = keys[at] and d.generation = generations[at] and d.document_id = r.document_id
              order by d.version desc limit 1) is not null) as is_left
      from rows from (json_to_recordset(rows) as (
             at int, document_id text, named boolean, key text, fingerprint text, state text, content_sha256 text))
           with ordinality as r (at, document_id, named, key, fingerprint, state, content_sha256, n)
  ), numbered as materialized (
    select *, case when not is_left
                then firsts[at] - 1 + count(*) filter (where not is_left) over (partition by at order by n) end as seq
      from given
  ), stored as (
    insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, queued_at)
    select keys[at], generations[at], seq, document_id, 1, state, decode(content_sha256, 'base64'),
           case state when 'queued' then now() end
      from numbered where seq is not null
  ), bound as (
    insert into idempotency_keys (tenant_id, idempotency_key, fingerprint, scope_key, generation, seq)
    select of_tenants[at], key, decode(fingerprint, 'base64'), keys[at], generations[at], seq
      from numbered where seq is not null and key is not null order by 1, 2
  )
  select array_agg(seq order by n), array_agg(at order by n), array_agg(document_id order by n), array_agg(state order by n)
    into numbers, places, ids, states
    from numbered;

  insert into document_contents (scope_key, generation, seq, name, type, source, provenance, text)
  select keys[places[n]], generations[places[n]], numbers[n], name, type, source, provenance, text
    from rows from (json_to_recordset(contents) as (name text, type text, source text, provenance text, text text))
         with ordinality as c (name, type, source, provenance, text, n)
   where numbers[n] is not null;

  with added as (
    select at, count(seq) as documents, count(seq) filter (where state = 'registered') as registered,
           count(seq) filter (where state = 'pending') as pending, count(seq) filter (where state = 'queued') as queued
      from unnest(places, states, numbers) as d (at, state, seq) group by at
  ), counted as (
    update scopes s
       set next_seq = s.next_seq + a.documents, registered = s.registered + a.registered,
           pending = s.pending + a.pending, queued = s.queued + a.queued
      from added a where a.documents > 0 and s.scope_key = any (keys) and s.scope_key = keys[a.at]
  )
  select array_agg(queued > 0 and queued_before[at] = 0 order by at) into awake from added;
  perform awaken_lanes(array(select key from unnest(keys, awake) as s (key, is_awake) where is_awake));

  if exists (select from unnest(numbers) as d (seq) where seq is not null) then
    perform lock_events();
    insert into events (type, tenant_id, scope_id, payload)
    select case state when 'queued' then 'document.queued' else 'document.accepted' end, of_tenants[at], names[at],
           json_build_object('document_id', document_id, 'version', 1, 'seq', seq)
      from unnest(places, ids, states, numbers) as d (at, document_id, state, seq) where seq is not null;
  end if;

  return query select numbers::float8[], awake, is_locked;
end $$;
