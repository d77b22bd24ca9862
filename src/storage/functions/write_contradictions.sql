-- Writes what became of detected contradictions: `gone`, `outdated` and `reopened` are ids; `placed` have gained or lost places among
-- those of their documents and facts; `moved` are found again, by a new version of a document or by newer rules, and stay decided as
-- they are: what they do not say stays as it was. `added` are new. The sources are those of the documents.
create or replace function write_contradictions(settling bigint[], contradictions json) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  delete from contradictions c where c.contradiction_id = any (array(
    select id from json_to_recordset(contradictions -> 'gone') as g (lane bigint, id text) where lane = any (settling)));
  update contradictions c set status = 'open', resolution = null, resolved_by = null, resolved_at = null, upheld = null
   where c.contradiction_id = any (array(
     select id from json_to_recordset(contradictions -> 'reopened') as r (lane bigint, id text) where lane = any (settling)));
  update contradictions c set places = p.places, status = p.status
    from json_to_recordset(contradictions -> 'placed') as p (lane bigint, id text, places int, status text)
   where p.lane = any (settling) and c.contradiction_id = p.id
     and c.contradiction_id = any (array(select id from json_to_recordset(contradictions -> 'placed') as p (id text)));
  update contradictions c set outdated = true
   where c.contradiction_id = any (array(
     select id from json_to_recordset(contradictions -> 'outdated') as o (lane bigint, id text) where lane = any (settling)));
  update contradictions c
     set seq_a = m.seq_a, seq_b = m.seq_b, span_a = coalesce(m.span_a, c.span_a), span_b = coalesce(m.span_b, c.span_b),
         pair_sha256 = coalesce(decode(m.pair, 'base64'), c.pair_sha256), outdated = c.outdated and m.pair is null,
         subject = coalesce(m.subject, c.subject), attribute = coalesce(m.attribute, c.attribute),
         severity = coalesce(m.severity, c.severity), reason = coalesce(m.reason, c.reason),
         precedence = coalesce(m.precedence, c.precedence),
         group_a = coalesce(m.group_a, c.group_a), group_b = coalesce(m.group_b, c.group_b),
         value_a = coalesce(m.value_a, c.value_a), value_b = coalesce(m.value_b, c.value_b)
    from json_to_recordset(contradictions -> 'moved')
           as m (lane bigint, id text, seq_a bigint, seq_b bigint, span_a int[], span_b int[], pair text, subject text, attribute text,
                 severity text, reason text, precedence bigint, group_a bigint, group_b bigint, value_a bigint, value_b bigint)
   where m.lane = any (settling) and c.contradiction_id = m.id
     and c.contradiction_id = any (array(select id from json_to_recordset(contradictions -> 'moved') as m (id text)));
  insert into contradictions (
    scope_key, generation, contradiction_id, pair_sha256, claim_a, claim_b, source_a, source_b, document_ids, subject, attribute,
    severity, origin, reason, document_a, document_b, seq_a, seq_b, span_a, span_b, group_a, group_b, value_a, value_b,
    precedence, places, status)
  select n.lane, n.generation, n.contradiction_id, decode(n.pair, 'base64'), n.claim_a, n.claim_b, a.source, b.source,
         array[n.document_a, n.document_b], n.subject, n.attribute, n.severity, 'detected', n.reason, n.document_a,
         n.document_b, n.seq_a, n.seq_b, n.span_a, n.span_b, n.group_a, n.group_b, n.value_a, n.value_b, n.precedence, n.places,
         n.status
    from json_to_recordset(contradictions -> 'added')
           as n (nth int, lane bigint, generation int, contradiction_id text, pair text, claim_a text, claim_b text, subject text,
                 attribute text, severity text, reason text, document_a text, document_b text, seq_a bigint, seq_b bigint,
                 span_a int[], span_b int[], group_a bigint, group_b bigint, value_a bigint, value_b bigint,
                 precedence bigint, places int, status text)
   cross join lateral (select source from document_contents d
                        where d.scope_key = n.lane and d.generation = n.generation and d.seq = n.seq_a limit 1) a
   cross join lateral (select source from document_contents d
                        where d.scope_key = n.lane and d.generation = n.generation and d.seq = n.seq_b limit 1) b
   where n.lane = any (settling) order by n.lane, n.nth;
end $$;
