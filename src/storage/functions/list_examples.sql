-- The readings that list_facts names, with their claims as long as those before are not that many bytes together; those of the first
-- group come in any case.
create or replace function list_examples(scope bigint, its_generation int, facts json, its_rules int, most_bytes bigint) returns json
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select json_agg(json_build_object(
           'seq', seq, 'document_id', document_id, 'finished_at', finished_at, 'left_out', left_out,
           'claims', case when rules = its_rules and not left_out then claims end))
    from (select *, bytes_before >= most_bytes and nth > 1 as left_out
    from (select r.*, wanted.nth, sum(octet_length(r.claims)) over in_order - octet_length(r.claims) as bytes_before,
                 (select finished_at from documents d
                   where d.scope_key = scope and d.generation = its_generation and d.seq = r.seq) as finished_at
            from (select (said ->> 2)::bigint as seq, min(fact.nth) as nth
                    from json_array_elements(facts) with ordinality as fact (one, nth)
                   cross join lateral json_array_elements(fact.one -> 4) as said group by 1) wanted
           cross join lateral (
             select * from readings r
              where r.scope_key = scope and r.generation = its_generation and r.seq = wanted.seq limit 1) r
          window in_order as (order by wanted.nth, r.seq)) found) found
$$;
