-- Where the documents of all tenants are that have failed before a moment, the newest failure first, up to a number of them. They are
-- looked for below a place: (when, scope, generation, seq), and before that the first words of the error, where it is looked for by a
-- prefix of these. Of rows that are looked at there is a number, too: those of scopes that are gone are passed over, and there may be
-- any number. `reached` is where to go on; null when there is nothing more. Sorting is off, since it would read all that have failed.
create or replace function list_failed(prefix text, before timestamptz, below_error text, below timestamptz, below_scope bigint,
                                       below_generation int, below_seq bigint, most int, most_looked_at int)
returns json language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan as $$
declare
  first_words text collate "C" := left(prefix, 50);
  failed refcursor;
  d record;
  s record;
  place text;
  places json[] := '{}';
  looked_at int := 0;
begin
  if prefix = '' then
    open failed for
      select scope_key, generation, seq, error, finished_at from documents
       where state = 'failed' and (finished_at, scope_key, generation, seq) < (below, below_scope, below_generation, below_seq)
       order by finished_at desc, scope_key desc, generation desc, seq desc limit most_looked_at;
  else
    open failed for
      select scope_key, generation, seq, error, finished_at from documents
       where state = 'failed' and left(coalesce(error, ''), 50) collate "C" >= first_words
         and (left(coalesce(error, ''), 50) collate "C", finished_at, scope_key, generation, seq)
             < (below_error, below, below_scope, below_generation, below_seq)
       order by left(coalesce(error, ''), 50) collate "C" desc, finished_at desc, scope_key desc, generation desc, seq desc
       limit most_looked_at;
  end if;
  loop
    fetch failed into d;
    exit when not found;
    looked_at := looked_at + 1;
    place := (extract(epoch from d.finished_at) * 1000000)::bigint || ' ' || d.scope_key || ' ' || d.generation || ' ' || d.seq
             || case when prefix = '' then '' else ' ' || left(coalesce(d.error, ''), 50) end;
    if d.finished_at < before and (prefix = '' or starts_with(d.error, prefix)) then
      select tenant_id, scope_id into s from scopes join tenants using (tenant_id)
       where scope_key = d.scope_key and generation = d.generation and deleted_at is null;
      if found then
        places := places || json_build_object('tenant_id', s.tenant_id, 'scope_id', s.scope_id, 'scope_key', d.scope_key::text,
                                              'generation', d.generation, 'seq', d.seq, 'place', place);
      end if;
    end if;
    exit when cardinality(places) = most;
  end loop;
  close failed;
  return json_build_object('places', to_json(places),
                           'reached', case when cardinality(places) = most or looked_at = most_looked_at then place end);
end $$;
