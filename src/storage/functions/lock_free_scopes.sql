-- Locks those of these scopes that nobody has locked, without waiting. Says of each whether somebody else has it.
create or replace function lock_free_scopes(tenant_ids text[], scope_ids text[]) returns boolean[]
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select array_agg(
             ours.scope_key is null and exists (
               select from scope_names n where n.tenant_id = w.tenant and n.scope_id = w.scope) order by place)
      from (select * from unnest(tenant_ids, scope_ids) with ordinality as w (tenant, scope, place)
             order by tenant, scope offset 0) w
      left join lateral (
        select scope_key from scopes s
         where s.tenant_id = w.tenant and s.scope_id = w.scope order by recency desc limit 1 for no key update skip locked) ours on true);
end $$;
