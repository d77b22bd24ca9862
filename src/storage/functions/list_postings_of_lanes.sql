-- Kept for the release before, which takes the keys of all that is filed for filed, too: it gives what list_first_postings gives, and
-- looks through the readings that are filed without their keys. These are held against the wanted keys in a hash: there may be
-- hundreds of thousands of keys on one side and thousands on the other.
create or replace function list_postings_of_lanes(scopes bigint[], generations int[], keys bigint[], lowest bigint[], cap int, most int[])
returns json language sql stable set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
  with wanted as materialized (
    select * from unnest(scopes, generations, keys, lowest, most) with ordinality as w (scope, generation, key, low, most, nth)
  ), deferred as (
    select its.scope, its.generation, unnest(r.keys) as key, r.document_hash, r.seq
      from (select distinct scope, generation from wanted) its
     cross join lateral (select * from scopes s where s.scope_key = its.scope order by recency desc limit 1) s
     cross join lateral (
       select * from readings r
        where r.scope_key = its.scope and r.generation = its.generation
          and r.seq > s.keys_filed_up_to and r.seq <= s.filed_up_to offset 0) r
  ), found as (
    select w.nth, p.document_hash, p.seq
      from wanted w
     cross join lateral (
       select p.document_hash, p.seq from claim_keys p
        where p.scope_key = w.scope and p.generation = w.generation and p.key = w.key
        order by p.document_hash, p.seq limit w.most) p
     union select w.nth, d.document_hash, d.seq from deferred d join wanted w using (scope, generation, key)
  ), first as (
    select nth, array_agg(document_hash order by place) as hashes, array_agg(seq order by place) as seqs
      from (select *, row_number() over (partition by nth order by document_hash, seq) as place from found) f
      join wanted using (nth) where place <= wanted.most group by nth
  )
  select coalesce(json_agg(case when hashes[cap] < low then json_build_array(nth)
                                else json_build_array(nth, hashes, seqs) end order by nth), '[]')
    from first join wanted using (nth)
$$;
