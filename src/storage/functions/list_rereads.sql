-- The next documents of a scope, up to a seq, that older rules have read, in order: as lease_lanes claims documents, and with the number
-- of claims and the warnings of each. Only for the first counts what was tried before, and only what it was tried alone: see take_reread.
create or replace function list_rereads(s scopes, its_rules int, up_to bigint, most_documents int, most_bytes bigint) returns json
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  with older as materialized (
    select r.seq from readings r
     where r.scope_key = s.scope_key and r.generation = s.generation and r.seq between s.reread_from and up_to and r.rules < its_rules
     order by r.seq limit most_documents
  ), due as materialized (
    select older.seq, row_number() over in_order as nth, sum(octet_length(c.text)) over in_order as bytes
      from older
     cross join lateral (
       select c.text from document_contents c
        where c.scope_key = s.scope_key and c.generation = s.generation and c.seq = older.seq limit 1) c
    window in_order as (order by older.seq)
  )
  select json_agg(json_build_array(d.seq, d.document_id, d.version,
                                   case when due.nth = 1 then greatest(0, s.reread_tries - 2) else 0 end,
                                   c.name, c.type, c.text, d.state, 0, d.claims, d.warnings) order by d.seq)
    from due
   cross join lateral (
     select * from documents d
      where d.scope_key = s.scope_key and d.generation = s.generation and d.seq between due.seq and due.seq order by d.seq limit 1) d
   cross join lateral (
     select * from document_contents c
      where c.scope_key = s.scope_key and c.generation = s.generation and c.seq = due.seq limit 1) c
   where (due.nth = 1 or due.bytes <= most_bytes) and d.state = 'processed'
$$;
