-- Locks scopes in the order in which accepting does. Waits for those that somebody else has locked, so long over all, and returns
-- those that it got, in that order.
create or replace function lock_scopes(keys bigint[], patience_ms int) returns bigint[]
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  until timestamptz := clock_timestamp() + patience_ms * interval '1 ms';
  key bigint;
  locked bigint[] := '{}';
  left_ms int;
begin
  for key in select scope_key from scope_names where scope_key = any (keys) order by tenant_id, scope_id loop
    perform from scopes where scope_key = key order by recency desc limit 1 for no key update skip locked;
    if found then locked := locked || key; continue; end if;
    left_ms := date_part('epoch', until - clock_timestamp()) * 1000;
    continue when left_ms < 1;
    begin
      perform set_config('lock_timeout', left_ms::text, true);
      perform from scopes where scope_key = key order by recency desc limit 1 for no key update;
      if found then locked := locked || key; end if;
    exception when lock_not_available then null;
    end;
    perform set_config('lock_timeout', '0', true);
  end loop;
  return locked;
end $$;
