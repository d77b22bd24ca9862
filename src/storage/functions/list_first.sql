-- Detected contradictions of scopes, {scope, generation, seqs, of_seqs, groups, of_groups} each: as many of the first of each of these
-- documents as `of_seqs` says, and as many of the first of each of these groups, of those that are among the first of both of their
-- documents. Each comes once.
create or replace function list_first(wanted json) returns json
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  select coalesce(json_agg(json_build_object(
           'scope_key', c.scope_key::text, 'id', c.contradiction_id, 'status', c.status, 'severity', c.severity,
           'documents', c.document_ids, 'seqs', array[c.seq_a, c.seq_b], 'groups', array[c.group_a, c.group_b],
           'precedence', c.precedence, 'places', c.places)), '[]')
    from json_to_recordset(wanted)
           as w (scope bigint, generation int, seqs bigint[], of_seqs int[], groups bigint[], of_groups int[])
   cross join lateral (
     -- In an order that only one of many indexes that begin alike has.
     select c.contradiction_id as id from unnest(w.seqs, w.of_seqs) as its (seq, most)
      cross join lateral (
        (select contradiction_id from contradictions c
          where c.scope_key = w.scope and c.generation = w.generation and c.origin = 'detected'
            and c.seq_a between its.seq and its.seq order by c.seq_a, c.precedence limit its.most)
        union all
        (select contradiction_id from contradictions c
          where c.scope_key = w.scope and c.generation = w.generation and c.origin = 'detected'
            and c.seq_b between its.seq and its.seq order by c.seq_b, c.precedence limit its.most)) c
     union
     select c.contradiction_id from unnest(w.groups, w.of_groups) as its (group_key, most)
      cross join lateral (
        (select contradiction_id from contradictions c
          where c.scope_key = w.scope and c.generation = w.generation and c.origin = 'detected' and c.places & 3 = 3
            and c.group_a between its.group_key and its.group_key order by c.group_a, c.precedence limit its.most)
        union all
        (select contradiction_id from contradictions c
          where c.scope_key = w.scope and c.generation = w.generation and c.origin = 'detected' and c.places & 3 = 3
            and c.group_b between its.group_key and its.group_key order by c.group_b, c.precedence limit its.most)) c) found
   cross join lateral (select * from contradictions c where c.contradiction_id = found.id limit 1) c
$$;
