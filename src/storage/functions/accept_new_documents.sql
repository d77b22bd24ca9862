-- Kept for replicas of release 1, which know no traces; for the rest it is accept_new_documents_traced.
create or replace function accept_new_documents(
  tenant_ids text[], scope_ids text[],
  places int[], nths int[], ids text[], chosen boolean[], states text[], event_types text[], hashes text[],
  keys text[], fingerprints text[],
  names text[], types text[], sources text[], provenances text[], texts text[],
  patience_ms int)
returns table (seqs float8[], awakened boolean[], locked boolean[]) language sql as $$
  select * from accept_new_documents_traced(
    tenant_ids, scope_ids, places, nths, ids, chosen, states, event_types, hashes, keys, fingerprints,
    names, types, sources, provenances, texts, null, patience_ms)
$$;
