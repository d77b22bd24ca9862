-- For each of these scopes, as it is now: what a turn has to know of it (see scope_head), and the readings whose keys are not filed, as
-- [seq, document_id, document_hash, keys, groups, values, rules, sketch], that are newer than the revision that is `known` of it, in order
-- of seq from after one on, as many as have so many keys, but one in any case; `goes_on` when there may be more. Nothing is known of a scope
-- that has no such revision: then it is a `restart`. Where any were removed since, `left` has the seqs of all that are left.
create or replace function list_readings_since(wanted bigint[], known bigint[], after_seq bigint[], most_keys int) returns json
language sql stable set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(json_build_object(
           'head', head.head, 'restart', k.is_other, 'readings', coalesce(r.list, '[]'), 'goes_on', r.goes_on, 'left', case
             when w.known < s.removed_at and not k.is_other and w.after_seq < 0 then (
               select coalesce(json_agg(r.seq), '[]') from readings r
                where r.scope_key = s.scope_key and r.generation = s.generation and r.seq > filed.up_to) end)), '[]')
    from unnest(wanted, known, after_seq) as w (scope_key, known, after_seq)
   cross join lateral (select * from scopes s where s.scope_key = w.scope_key order by recency desc limit 1) s
   cross join lateral (select w.known < 0 or w.known > s.revision as is_other) k
   cross join lateral (select scope_head(s) as head) head
   cross join lateral (select (head.head ->> 'keys_filed_up_to')::bigint as up_to) filed
   cross join lateral (
     select json_agg(json_build_array(seq, document_id, document_hash, keys, groups, group_values, rules, sketch) order by seq)
              filter (where before < most_keys) as list,
            coalesce(bool_or(before >= most_keys), false) or count(*) = 500 as goes_on
       from (select *, sum(size) over (order by seq) - size as before
               from (select r.*, cardinality(r.keys) + cardinality(r.groups) as size from readings r
                      where r.scope_key = s.scope_key and r.generation = s.generation
                        and r.seq > greatest(filed.up_to, w.after_seq) and (k.is_other or r.revision > w.known)
                      order by r.seq limit 500) first) counted) r
$$;
