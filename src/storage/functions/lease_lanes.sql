-- Leases these lanes under one epoch, and claims their next documents in order of seq, up to a number and a size over all, at
-- least one: those that are queued, and those whose time to be tried again has come. A lane of which none fits is left.
create or replace function lease_lanes(picked bigint[], worker text, moment timestamptz, lease_ms int, most_documents int, most_bytes bigint)
returns json language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  its_epoch bigint := nextval('lane_epochs');
  turn json;
begin
  with lane as materialized (
    select l.nth, s.scope_key, s.tenant_id, s.scope_id, s.generation, s.queued_from, scope_head(s) as head
      from unnest(picked) with ordinality as l (scope_key, nth)
     cross join lateral (select * from scopes s where s.scope_key = l.scope_key order by recency desc limit 1) s
  ), due as materialized (
    select lane.scope_key, lane.generation, d.seq, row_number() over in_turn as nth, sum(c.bytes) over in_turn as bytes
      from lane
     cross join lateral (
       -- Not an equality, and ordered by the state too: while most documents are queued, the planner would walk the
       -- primary key, past all that are processed already.
       (select d.seq from documents d
         where d.scope_key = lane.scope_key and d.generation = lane.generation and d.state between 'queued' and 'queued'
           and d.seq >= lane.queued_from
         order by d.state, d.seq limit most_documents)
       union all
       (select d.seq from documents d
         where d.scope_key = lane.scope_key and d.generation = lane.generation and d.state = 'retrying'
           and d.not_before <= moment order by d.not_before limit most_documents)
       order by 1 limit most_documents) d
     cross join lateral (
       select octet_length(c.text) as bytes from document_contents c
        where c.scope_key = lane.scope_key and c.generation = lane.generation and c.seq = d.seq limit 1) c
    window in_turn as (order by lane.nth, d.seq)
  ), claimed as materialized (
    select due.scope_key, array_agg(d.seq order by d.seq) as seqs,
           json_agg(json_build_array(d.seq, d.document_id, d.version, d.attempts, c.name, c.type, c.text, d.state,
                    round(date_part('epoch', moment - d.queued_at) * 1000), c.traceparent) order by d.seq) as documents
      from due
     cross join lateral (
       select * from documents d
        where d.scope_key = due.scope_key and d.generation = due.generation and d.seq between due.seq and due.seq
        order by d.seq limit 1) d
     cross join lateral (
       select * from document_contents c
        where c.scope_key = due.scope_key and c.generation = due.generation and c.seq = due.seq limit 1) c
     where due.nth = 1 or (due.nth <= most_documents and due.bytes <= most_bytes)
     group by 1
  ), leased as (
    update lanes set holder = worker, epoch = its_epoch, claimed = coalesce(c.seqs, '{}'), claimed_at = clock_timestamp(),
                     ready_at = clock_timestamp() + lease_ms * interval '1 ms'
      from lane left join claimed c using (scope_key)
     where lanes.scope_key = any (picked) and lanes.scope_key = lane.scope_key
       -- One that has nothing due is leased all the same: whoever settles it puts it right.
       and (c.seqs is not null or not exists (select from due where due.scope_key = lane.scope_key))
    returning lane.nth, lanes.scope_key, lane.tenant_id, lane.scope_id, lane.generation, lanes.suspects, lane.head, c.documents
  )
  select json_agg(json_build_object('scope_key', scope_key::text, 'tenant_id', tenant_id, 'scope_id', scope_id,
           'generation', generation, 'epoch', its_epoch::text, 'suspects', suspects, 'head', head,
           'is_cut', (select count(*) from due) > (select coalesce(sum(cardinality(seqs)), 0) from claimed),
           'documents', coalesce(documents, '[]')) order by nth) into turn from leased;
  return turn;
end $$;
