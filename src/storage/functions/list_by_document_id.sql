-- Where the documents of one id are, in order of tenant and scope: the newest version of each, if it came to its state before a moment
-- and its error begins so. A scope has at most one, found by the key of its versions. They are looked for from a place on: a scope, and
-- after it where a seq is given. Of scopes that are looked at there is a number. `reached` is where to go on; null when there is nothing
-- more. Sorting is off, since it would read all scopes that there are.
create or replace function list_by_document_id(wanted text, of_tenant text, of_scope text, from_tenant text, from_scope text,
                                               after_seq bigint, before timestamptz, prefix text, most int, most_scopes int)
returns json language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan as $$
declare
  s record;
  d record;
  reached text;
  places json[] := '{}';
  scopes_looked_at int := 0;
begin
  for s in
    select tenant_id, scope_id, scope_key, generation, next_seq from scopes
     where (tenant_id, scope_id) >= (from_tenant, from_scope) order by tenant_id, scope_id limit most_scopes + 1
  loop
    exit when s.tenant_id <> of_tenant or s.scope_id <> of_scope;
    reached := s.tenant_id || ' ' || s.scope_id || ' -1';
    exit when scopes_looked_at = most_scopes;
    scopes_looked_at := scopes_looked_at + 1;
    reached := null;
    continue when s.next_seq = 0 or (after_seq >= 0 and (s.tenant_id, s.scope_id) = (from_tenant, from_scope));
    select seq, error, coalesce(finished_at, queued_at, accepted_at) as since into d from documents
     where scope_key = s.scope_key and generation = s.generation and document_id = wanted
       and version < coalesce((
         select p.from_version from document_purges p
          where p.scope_key = s.scope_key and p.generation = s.generation and p.document_id = wanted), 2147483647)
     order by version desc limit 1;
    continue when not found or not ((before is null or d.since < before) and starts_with(coalesce(d.error, ''), prefix))
      or not exists (select from tenants t where t.tenant_id = s.tenant_id and t.deleted_at is null);
    reached := s.tenant_id || ' ' || s.scope_id || ' ' || d.seq;
    places := places || json_build_object('tenant_id', s.tenant_id, 'scope_id', s.scope_id, 'scope_key', s.scope_key::text,
                                          'generation', s.generation, 'seq', d.seq, 'place', reached);
    exit when cardinality(places) = most;
    reached := null;
  end loop;
  return json_build_object('places', to_json(places), 'reached', reached);
end $$;
