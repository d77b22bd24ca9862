-- Kept for the release before, which takes the keys of all that is filed for filed, too: it gives what list_first_postings gives, and
-- looks through the readings that are filed without their keys.
create or replace function list_postings_of_lanes(scopes bigint[], generations int[], keys bigint[], lowest bigint[], cap int, most int[])
returns json language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  with deferred as materialized (
    select its.scope, said.key, r.document_hash, r.seq
      from (select distinct scope, generation from unnest(scopes, generations) as wanted (scope, generation)) its
     cross join lateral (select * from scopes s where s.scope_key = its.scope order by recency desc limit 1) s
      join readings r on r.scope_key = its.scope and r.generation = its.generation
                     and r.seq > s.keys_filed_up_to and r.seq <= s.filed_up_to
     cross join lateral unnest(r.keys) as said (key)
     where said.key = any (list_postings_of_lanes.keys)
  )
  select coalesce(json_agg(case when hashes[cap] < wanted.low then json_build_array(nth)
                                else json_build_array(nth, hashes, seqs) end), '[]')
    from unnest(scopes, generations, keys, lowest, most) with ordinality as wanted (scope, generation, key, low, most, nth)
   cross join lateral (
     select array_agg(document_hash) as hashes, array_agg(seq) as seqs from (
       (select p.document_hash, p.seq from claim_keys p
         where p.scope_key = wanted.scope and p.generation = wanted.generation and p.key = wanted.key
         order by p.document_hash, p.seq limit wanted.most)
        union select d.document_hash, d.seq from deferred d where d.scope = wanted.scope and d.key = wanted.key
        order by 1, 2 limit wanted.most) first) found
   where hashes is not null
$$;
