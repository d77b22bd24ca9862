-- Where documents are, in order of tenant, scope and seq: those of one or two stored states, or of all, that came to it before a
-- moment, and whose error begins so. They are looked for from a place on: a scope, and in it after a seq. Of documents and of scopes
-- that are looked at there is a number. `reached` is where to go on; null when there is nothing more. Sorting is off, since it would
-- read all scopes that there are.
create or replace function list_in_scopes(of_tenant text, of_scope text, from_tenant text, from_scope text, after_seq bigint,
                                          states text[], in_work boolean, before timestamptz, prefix text, most int,
                                          most_looked_at int, most_scopes int)
returns json language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan as $$
declare
  s record;
  d record;
  reached text;
  places json[] := '{}';
  looked_at int := 0;
  scopes_looked_at int := 0;
  portion int;
  come_to int;
begin
  for s in
    select tenant_id, scope_id, scope_key, generation, (tenant_id, scope_id) = (from_tenant, from_scope) as is_first,
           states is null or exists (
             select from unnest(array['registered', 'pending', 'queued', 'retrying', 'processed', 'failed', 'superseded'],
                                array[registered, pending, queued, retrying, processed, failed, superseded]) as c (state, documents)
              where c.state = any (states) and c.documents > 0) as has_some
      from scopes where (tenant_id, scope_id) >= (from_tenant, from_scope) order by tenant_id, scope_id limit most_scopes + 1
  loop
    exit when s.tenant_id <> of_tenant or s.scope_id <> of_scope;
    reached := s.tenant_id || ' ' || s.scope_id || ' -1';
    exit when scopes_looked_at = most_scopes;
    scopes_looked_at := scopes_looked_at + 1;
    reached := null;
    continue when not s.has_some
      or not exists (select from tenants t where t.tenant_id = s.tenant_id and t.deleted_at is null);
    come_to := 0;
    -- Where all of a state are wanted, only as many are read as are shown, and some more where there are such as are not.
    portion := least(most_looked_at - looked_at, case
      when before is not null or prefix <> '' then most_looked_at
      else most - cardinality(places) + case when in_work or states <@ array['processed', 'failed'] then 0 else 250 end end);
    for d in
      select * from list_in_scope(s.scope_key, s.generation, states, in_work, case when s.is_first then after_seq else -1 end, portion)
    loop
      come_to := come_to + 1;
      reached := s.tenant_id || ' ' || s.scope_id || ' ' || d.seq;
      continue when not (d.shown and (before is null or d.since < before) and starts_with(coalesce(d.error, ''), prefix));
      places := places || json_build_object('tenant_id', s.tenant_id, 'scope_id', s.scope_id, 'scope_key', s.scope_key::text,
                                            'generation', s.generation, 'seq', d.seq, 'place', reached);
      exit when cardinality(places) = most;
    end loop;
    looked_at := looked_at + come_to;
    exit when cardinality(places) = most or come_to = portion;
    reached := null;
  end loop;
  return json_build_object('places', to_json(places), 'reached', reached);
end $$;
