-- Of the next tenant after one that has scopes which older rules have read, the first such scope that may be read again now: not one
-- with new work, which comes first. Returns [tenant_id, scope_key], without a scope when so many tenants in a row have none; null when
-- no tenant comes after that one. The scope is locked.
create or replace function next_reread(its_rules int, after_tenant text, moment timestamptz) returns text[]
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  candidate text := after_tenant;
  found_key bigint;
begin
  for looked in 1..100 loop
    select next.tenant_id into candidate
      from generate_series(0, its_rules - 1) as older (rules)
     cross join lateral (
       select s.tenant_id from scopes s where s.rules = older.rules and s.state = 'running' and s.tenant_id > after_tenant
        order by s.rules, s.tenant_id limit 1) next
     order by 1 limit 1;
    if candidate is null then return null; end if;
    after_tenant := candidate;
    continue when not exists (select from tenants where tenant_id = candidate and state = 'running' and deleted_at is null);
    select s.scope_key into found_key
      from generate_series(0, its_rules - 1) as older (rules)
     cross join lateral (
       select s.scope_key from scopes s
        where s.rules = older.rules and s.state = 'running' and s.tenant_id = candidate and s.reread_at <= moment
          and not exists (select from lanes l where l.scope_key = s.scope_key)
        order by s.rules, s.tenant_id, s.scope_key limit 1) s
     limit 1;
    perform from scopes where scope_key = found_key and rules < its_rules and state = 'running' for no key update skip locked;
    continue when not found;
    -- Looked at again under its lock, no lane can be missed.
    continue when exists (select from lanes where scope_key = found_key);
    return array[candidate, found_key::text];
  end loop;
  return array[after_tenant];
end $$;
