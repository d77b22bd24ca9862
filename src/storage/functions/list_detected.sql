-- Detected contradictions of scopes, {scope, generation, pairs, seqs, ids, groups, values} each: those of these pairs (in base64), those
-- that any of these seqs is a side of, those with these ids, and the resolved ones that uphold one of these values of these groups.
-- Each comes once for each reason, with the reason, and with the two sides that a resolution upholds, null for one it does not. One
-- that comes for a side has its sides: what they say, and the rules by which they were read.
create or replace function list_detected(wanted json) returns json
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(json_build_object(
           'scope_key', c.scope_key::text, 'why', found.why, 'id', c.contradiction_id, 'pair', encode(c.pair_sha256, 'base64'),
           'status', c.status, 'severity', c.severity, 'documents', c.document_ids, 'groups', array[c.group_a, c.group_b],
           'seqs', array[c.seq_a, c.seq_b], 'precedence', c.precedence, 'places', c.places, 'outdated', c.outdated,
           'sides', case when found.why = 'side' then json_build_object(
             'claims', array[c.claim_a, c.claim_b], 'attribute', c.attribute, 'rules', array(
               select (select r.rules from readings r
                        where r.scope_key = c.scope_key and r.generation = c.generation and r.seq = its.seq)
                 from unnest(array[c.seq_a, c.seq_b]) with ordinality as its (seq, nth) order by nth)) end,
           'upheld', case when c.status = 'resolved' then json_build_array(
             case when coalesce(c.upheld, 'a') = 'a' then json_build_object('group', c.group_a, 'value', c.value_a) end,
             case when coalesce(c.upheld, 'b') = 'b' then json_build_object('group', c.group_b, 'value', c.value_b) end)
             else '[]' end) order by c.ordinal), '[]')
    from json_to_recordset(wanted)
           as w (scope bigint, generation int, pairs text[], seqs bigint[], ids text[], groups bigint[], values bigint[])
   cross join lateral (
    select distinct why, id from (
     select 'pair' as why, c.contradiction_id as id from unnest(w.pairs) as p (pair)
      -- In orders, here and below, which only one of many indexes that begin alike has. No report has such a pair.
      cross join lateral (select contradiction_id from contradictions c
                           where c.scope_key = w.scope and c.generation = w.generation
                             and c.pair_sha256 between decode(p.pair, 'base64') and decode(p.pair, 'base64')
                           order by c.pair_sha256 limit 1) c
     union all
     select 'side', c.contradiction_id from unnest(w.seqs) as its (seq)
      cross join lateral (
        (select contradiction_id from contradictions c
          where c.scope_key = w.scope and c.generation = w.generation and c.origin = 'detected'
            and c.seq_a between its.seq and its.seq order by c.seq_a, c.precedence offset 0)
        union
        (select contradiction_id from contradictions c
          where c.scope_key = w.scope and c.generation = w.generation and c.origin = 'detected'
            and c.seq_b between its.seq and its.seq order by c.seq_b, c.precedence offset 0)) c
     union all
     select 'id', id from unnest(w.ids) as given (id)
     union all
     select 'upheld', c.contradiction_id from unnest(w.groups, w.values) as said (group_key, value_key)
      cross join lateral (
        (select contradiction_id from contradictions c
          where c.scope_key = w.scope and c.generation = w.generation and c.origin = 'detected' and c.status = 'resolved'
            and c.group_a between said.group_key and said.group_key and c.value_a between said.value_key and said.value_key
            and coalesce(c.upheld, 'a') = 'a' order by c.group_a, c.value_a offset 0)
        union
        (select contradiction_id from contradictions c
          where c.scope_key = w.scope and c.generation = w.generation and c.origin = 'detected' and c.status = 'resolved'
            and c.group_b between said.group_key and said.group_key and c.value_b between said.value_key and said.value_key
            and coalesce(c.upheld, 'b') = 'b' order by c.group_b, c.value_b offset 0)) c) every) found
   cross join lateral (select * from contradictions c where c.contradiction_id = found.id limit 1) c
$$;
