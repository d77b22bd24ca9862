-- Counts new documents, those that have an nth, into their scopes, which locks these. Returns for each scope its key, its
-- generation and the seq of the first, nulls when nothing was counted; whether it had nothing queued before and has now; and
-- whether somebody else has it locked, and still had after `patience_ms`.
create or replace function count_new_documents(
  tenant_ids text[], scope_ids text[], places int[], states text[], nths int[], patience_ms int)
returns table (scope_keys bigint[], generations int[], firsts bigint[], awakened boolean[], locked boolean[])
language plpgsql as $$
begin
  locked := array_fill(false, array[cardinality(scope_ids)]);
  begin
    -- Postgres takes 0 for no end.
    perform set_config('lock_timeout', greatest(1, patience_ms)::text, true);
    select * into scope_keys, generations, firsts, awakened
      from add_to_scopes(tenant_ids, scope_ids, places, states, nths, locked);
    perform set_config('lock_timeout', '0', true);
  exception when lock_not_available then
    locked := lock_free_scopes(tenant_ids, scope_ids);
    select * into scope_keys, generations, firsts, awakened
      from add_to_scopes(tenant_ids, scope_ids, places, states, nths, locked);
  end;
  return next;
end $$;
