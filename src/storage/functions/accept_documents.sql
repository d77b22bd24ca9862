-- Kept for replicas of 0.1.0, which send documents as JSON: `wanted` has each scope, {at, tenant_id, scope_id}, `at` its place
-- counted from 1; `rows` each document, {at, document_id, named, key, fingerprint, state, content_sha256}; `contents` the rest
-- of each, {name, type, source, provenance, text}. Returns what accept_new_documents_traced does.
create or replace function accept_documents(wanted json, rows json, contents json, patience_ms int)
returns table (seqs float8[], awakened boolean[], locked boolean[]) language plpgsql as $$
begin
  return query
  select accepted.*
    from (
      select array_agg(tenant_id order by at) as tenants, array_agg(scope_id order by at) as scopes
        from json_to_recordset(wanted) as w (at int, tenant_id text, scope_id text)
    ) w, (
      select array_agg(at order by n) as places, array_agg(nth order by n) as nths, array_agg(document_id order by n) as ids,
             array_agg(named order by n) as chosen, array_agg(state order by n) as states,
             array_agg(case state when 'queued' then 'document.queued' else 'document.accepted' end order by n) as events,
             array_agg(content_sha256 order by n) as hashes, array_agg(key order by n) as keys,
             array_agg(fingerprint order by n) as fingerprints
        from (
          select *, (row_number() over (partition by at order by n) - 1)::int as nth
            from rows from (json_to_recordset(rows) as (
                   at int, document_id text, named boolean, key text, fingerprint text, state text, content_sha256 text))
                 with ordinality as r (at, document_id, named, key, fingerprint, state, content_sha256, n)) numbered
    ) r, (
      select array_agg(name order by n) as names, array_agg(type order by n) as types, array_agg(source order by n) as sources,
             array_agg(provenance order by n) as provenances, array_agg(text order by n) as texts
        from rows from (json_to_recordset(contents) as (name text, type text, source text, provenance text, text text))
             with ordinality as c (name, type, source, provenance, text, n)
    ) c,
    accept_new_documents_traced(
      w.tenants, w.scopes, r.places, r.nths, r.ids, r.chosen, r.states, r.events, r.hashes, r.keys, r.fingerprints,
      c.names, c.types, c.sources, c.provenances, c.texts, null::text[], patience_ms) accepted;
end $$;
