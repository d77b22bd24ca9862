-- Writes groups as they are from now on, with the words that they are found by as soon as two documents speak of them, which they
-- keep; those without documents are gone, with their words. Only while its documents are read again can a group have none and a
-- dispute: then the contradiction is still to be judged by the newer rules.
create or replace function write_groups(settling bigint[], groups json) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  with wanted as materialized (
    select * from json_to_recordset(groups)
      as r (lane bigint, generation int, group_key bigint, documents int, disputes int, leader bigint, changed_at bigint,
            varied boolean, words text[])
     where lane = any (settling)
  ), worded as (
    insert into fact_words (scope_key, generation, word, group_key)
    select lane, generation, its.word, w.group_key from wanted w cross join lateral unnest(words) as its (word)
     where not exists (
       select from claim_groups g
        where g.scope_key = lane and g.generation = w.generation and g.group_key = w.group_key and g.words is not null)
     order by 1, 2, 3, 4 on conflict do nothing
  )
  insert into claim_groups as g
    (scope_key, generation, group_key, documents, disputes, leader, changed_at, varied, words, said_at, decided)
  select lane, generation, group_key, documents, disputes, leader, changed_at, varied, words, now(),
         -- Also for one that has a row: what is decided may be carried over to it.
         disputes > 0 and is_decided(lane, generation, group_key)
    from wanted where documents > 0 or disputes > 0 order by lane, group_key
  on conflict (scope_key, generation, group_key) do update
     set documents = excluded.documents, disputes = excluded.disputes, leader = excluded.leader, changed_at = excluded.changed_at,
         varied = excluded.varied, words = coalesce(g.words, excluded.words), said_at = excluded.said_at,
         decided = excluded.decided;
  perform drop_groups(
    array_agg(lane), array_agg(generation), array_agg(group_key))
    from json_to_recordset(groups) as r (lane bigint, generation int, group_key bigint, documents int, disputes int)
   where lane = any (settling) and documents <= 0 and disputes <= 0 having count(*) > 0;
end $$;
