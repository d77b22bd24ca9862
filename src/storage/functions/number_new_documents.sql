-- Says of each document how many of its scope come before it that are new, too; null for one whose key is there already, or
-- whose id, if the caller chose it. `nths` says the same for the case that all are new. Nothing is locked for this look: what
-- somebody else stores after it meets the primary key of the other, and the whole statement fails.
create or replace function number_new_documents(
  tenant_ids text[], scope_ids text[], places int[], nths int[], ids text[], chosen boolean[], keys text[])
returns int[] language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  known bigint[];
begin
  select array_agg(n) into known
    from unnest(places, ids, chosen, keys) with ordinality as r (place, id, is_chosen, key, n)
   where (key is not null and (
           select true from idempotency_keys k
            where k.tenant_id = tenant_ids[place] and k.idempotency_key = key limit 1) is not null)
      or (is_chosen and (
           select true
             from (select scope_key, generation from scopes
                    where tenant_id = tenant_ids[place] and scope_id = scope_ids[place] order by recency desc limit 1) s
            cross join lateral (
              -- In this order, which only one of three indexes that begin alike has.
              select from documents d
               where d.scope_key = s.scope_key and d.generation = s.generation and d.document_id = id
               order by d.version desc limit 1) d) is not null);
  if known is null then return nths; end if;
  return array(
    select case when is_new then count(*) filter (where is_new) over (partition by place order by n) - 1 end
      from (select n, place, n <> all (known) as is_new from unnest(places) with ordinality as r (place, n)) looked
     order by n);
end $$;
