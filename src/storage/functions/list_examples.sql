-- The readings that list_facts names, each with the pieces [group_key, value_key, place, piece] in which it says what it is an example
-- of, or else with all its claims; as long as those before are not that many bytes together, and those of the first group in any case.
create or replace function list_examples(scope bigint, its_generation int, facts json, its_rules int, most_bytes bigint) returns json
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select json_agg(json_build_object(
           'seq', seq, 'document_id', document_id, 'finished_at', finished_at, 'left_out', left_out,
           'claims', case when rules = its_rules and not left_out and list is null then claims end,
           'pieces', case when rules = its_rules and not left_out then list end))
    from (select *, bytes_before >= most_bytes and nth > 1 as left_out
    from (select r.seq, r.document_id, r.rules, r.claims, cut.list, wanted.nth,
                 sum(coalesce(cut.bytes, octet_length(r.claims))) over in_order
                   - coalesce(cut.bytes, octet_length(r.claims)) as bytes_before,
                 (select finished_at from documents d
                   where d.scope_key = scope and d.generation = its_generation and d.seq = r.seq) as finished_at
            from (select (said ->> 2)::bigint as seq, min(fact.nth) as nth,
                         array_agg((fact.one ->> 6)::bigint) as groups, array_agg((said ->> 0)::bigint) as said
                    from json_array_elements(facts) with ordinality as fact (one, nth)
                   cross join lateral json_array_elements(fact.one -> 4) as said group by 1) wanted
           cross join lateral (
             -- Added to nothing, an array of a long reading is fetched once, and not for each of its pieces.
             select r.*, r.groups || '{}' as own_groups, r.group_values || '{}' as own_values, r.piece_ends || '{}' as own_ends
               from readings r
              where r.scope_key = scope and r.generation = its_generation and r.seq = wanted.seq limit 1) r
           cross join lateral (
             select json_agg(json_build_array(its.group_key, its.value_key, p.place, p.piece)) as list,
                    sum(octet_length(p.piece)) as bytes
               from unnest(wanted.groups, wanted.said) as its (group_key, value_key)
              cross join lateral cut_piece(
                r.pieces, r.own_ends, r.own_groups, r.own_values, its.group_key, its.value_key) as p) cut
          window in_order as (order by wanted.nth, r.seq)) found) found
$$;
