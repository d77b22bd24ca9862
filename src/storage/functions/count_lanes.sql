-- How many lanes a tenant has, held or not, up to a number: past that none is read. That is left to an index, whatever Postgres
-- knows of the table: for a number like this it would else look up all of them first.
create or replace function count_lanes(tenant text, most int) returns int
language sql stable set enable_seqscan = off set enable_bitmapscan = off as $$
  select count(*)::int from (
    (select 1 from lanes where tenant_id = tenant and not held limit most)
    union all
    (select 1 from lanes where tenant_id = tenant and held limit most)
    limit most) counted
$$;
