-- Writes events, one for each of `types` that has a payload, under the lock of the log. Nothing else inserts into the log. `places`
-- says where the tenant and the scope of each stand; it is null when `tenant_ids` and `scope_ids` have one for each event. In this
-- form accepting has its events already: to gather them anew, one array a column, made a flush slower by a fiftieth.
create or replace function write_events(tenant_ids text[], scope_ids text[], places int[], types text[], payloads json[])
returns void language plpgsql as $$
begin
  perform lock_events();
  insert into events (type, tenant_id, scope_id, payload)
  select types[n], tenant_ids[coalesce(places[n], n)], scope_ids[coalesce(places[n], n)], payloads[n]
    from generate_series(1, cardinality(types)) as n where payloads[n] is not null;
end $$;
