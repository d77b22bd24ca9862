-- For each of these keys that any document of its scope has, those that come first by their hash: [place, hashes, seqs], the
-- place counted from 1. Only [place] when so many come before `lowest`, the lowest hash that would be added to it, that nothing
-- can change.
create or replace function list_first_postings(scopes bigint[], generations int[], keys bigint[], lowest bigint[], cap int, most int[])
returns json language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(case when hashes[cap] < wanted.low then json_build_array(nth)
                                else json_build_array(nth, hashes, seqs) end), '[]')
    from unnest(scopes, generations, keys, lowest, most) with ordinality as wanted (scope, generation, key, low, most, nth)
   cross join lateral (
     select array_agg(document_hash) as hashes, array_agg(seq) as seqs from (
       select p.document_hash, p.seq from claim_keys p
        where p.scope_key = wanted.scope and p.generation = wanted.generation and p.key = wanted.key
        order by p.document_hash, p.seq limit wanted.most) first) found
   where hashes is not null
$$;
