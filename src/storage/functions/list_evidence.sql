-- Which documents say what in a group, filed or not, in order of value and seq from after one on; `goes_on` is set for each after
-- which there is another. Each has the piece of its reading that says so, and its place there, or else all its claims. It ends where
-- these are that many bytes together, but has one in any case.
create or replace function list_evidence(scope bigint, its_generation int, its_group bigint, after_value bigint, after_seq bigint,
                                         most int, its_rules int, most_bytes bigint) returns json
language sql stable set enable_seqscan = off set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(json_build_object(
           'value_key', value_key, 'seq', seq, 'document_id', document_id, 'goes_on', goes_on,
           'place', place, 'claims', case when rules = its_rules then text end) order by value_key, seq), '[]')
    from (select said.value_key, r.seq, r.document_id, r.rules, cut.place, coalesce(cut.piece, r.claims) as text,
                 lead(r.seq) over in_order is not null as goes_on, row_number() over in_order as nth,
                 sum(octet_length(coalesce(cut.piece, r.claims))) over in_order
                   - octet_length(coalesce(cut.piece, r.claims)) as bytes_before
            from (select value_key, seq
                    from ((select e.value_key, e.seq from claim_evidence e
                            where e.scope_key = scope and e.generation = its_generation and e.group_key = its_group
                              and (e.value_key, e.seq) > (after_value, after_seq)
                            order by e.value_key, e.seq limit most + 1)
                          union all
                          (select distinct said.value_key, r.seq
                             from readings r cross join lateral unnest(r.groups, r.group_values) as said (group_key, value_key)
                            where r.scope_key = scope and r.generation = its_generation and said.group_key = its_group
                              and its_group = any (r.groups)
                              and r.seq > (select filed_up_to from scopes where scope_key = scope order by recency desc limit 1)
                              and (said.value_key, r.seq) > (after_value, after_seq))) every
                   order by value_key, seq limit most + 1) said
           cross join lateral (
             select * from readings r
              where r.scope_key = scope and r.generation = its_generation and r.seq = said.seq limit 1) r
            left join lateral cut_piece(
              r.pieces, r.piece_ends, r.groups, r.group_values, its_group, said.value_key) as cut on true
          window in_order as (order by said.value_key, r.seq)) found
   where nth <= most and bytes_before < most_bytes
$$;
