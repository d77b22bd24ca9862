-- Kept for replicas of 0.1.0, whose turns are of one lane.
--
-- Lists, for each of these keys that any document has, the documents that come first by their hash: [key, hashes, seqs]. It is
-- only [key] when so many come before `lowest`, the lowest hash that would be added to it, that nothing can change.
--
-- It goes without sequential scans, and with one plan: the table grows from nothing, and a plan that was made while it was small
-- is kept for long after.
create or replace function list_postings(scope bigint, its_generation int, keys bigint[], lowest bigint[], cap int, most int)
returns json language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(case when hashes[cap] < low then json_build_array(key)
                                else json_build_array(key, hashes, seqs) end), '[]')
    from unnest(keys, lowest) as wanted (key, low)
   cross join lateral (
     select array_agg(document_hash) as hashes, array_agg(seq) as seqs from (
       select p.document_hash, p.seq from claim_keys p
        where p.scope_key = scope and p.generation = its_generation and p.key = wanted.key
        order by p.document_hash, p.seq limit most) first) found
   where hashes is not null
$$;
