-- Kept for the release before, which has all readings that are not filed in memory. For each of these scopes, as it is now: what a turn
-- has to know of it (see scope_head), and its readings that are not filed, as [seq, document_id, document_hash, keys, groups, values,
-- rules]; only those newer than the revision that is `known`, unless any were removed since, or there was none such: then all, and
-- `is_whole` says so.
create or replace function list_unfiled_readings(wanted bigint[], known bigint[]) returns json
language sql stable set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(json_build_object(
           'head', scope_head(s), 'is_whole', k.is_other, 'readings', coalesce(r.list, '[]'))), '[]')
    from unnest(wanted, known) as w (scope_key, known)
   cross join lateral (select * from scopes s where s.scope_key = w.scope_key order by recency desc limit 1) s
   cross join lateral (select w.known < s.removed_at or w.known < 0 or w.known > s.revision as is_other) k
   cross join lateral (
     select json_agg(json_build_array(r.seq, r.document_id, r.document_hash, r.keys, r.groups, r.group_values, r.rules)) as list
       from readings r
      where r.scope_key = s.scope_key and r.generation = s.generation and r.seq > s.filed_up_to
        and (k.is_other or r.revision > w.known)) r
$$;
