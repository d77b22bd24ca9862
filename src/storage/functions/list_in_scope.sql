-- The documents of a scope after a seq, in order, up to a number: of one or two stored states, or of all where none is given. `in_work`
-- asks for those that are in work, or for those that are not. `since` is when a document came to its state. What is not `shown` was
-- deleted, or is in work and not asked for: it is there all the same, since there may be any number in a row. Sorting is off, but
-- where nothing else is possible: else the planner may read a whole scope and sort that.
create or replace function list_in_scope(scope bigint, its_generation int, states text[], in_work boolean, after_seq bigint, most int)
returns table (seq bigint, since timestamptz, error text, shown boolean)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan as $$
declare
  in_hand bigint[] := array(
    select unnest(l.claimed) from lanes l
     where l.scope_key = scope and l.generation = its_generation and l.ready_at > now() and in_work is not null);
begin
  if states is null then
    return query
      select d.seq, coalesce(d.finished_at, d.queued_at, d.accepted_at), d.error,
             d.state <> 'superseded' or d.version < coalesce((
               select p.from_version from document_purges p
                where p.scope_key = scope and p.generation = its_generation and p.document_id = d.document_id), 2147483647)
        from documents d where d.scope_key = scope and d.generation = its_generation and d.seq > after_seq
       order by d.scope_key, d.generation, d.seq limit most;
  elsif in_work then
    return query
      select d.seq, d.queued_at, d.error, true from unnest(in_hand) as claimed (seq)
       cross join lateral (
         select * from documents d
          where d.scope_key = scope and d.generation = its_generation and d.seq between claimed.seq and claimed.seq
          order by d.scope_key, d.generation, d.seq limit 1) d
       where d.seq > after_seq and d.state = any (states) order by d.seq limit most;
  else
    return query
      select d.seq, coalesce(d.finished_at, d.queued_at, d.accepted_at), d.error,
             not d.seq = any (in_hand) and (d.state <> 'superseded' or d.version < coalesce((
               select p.from_version from document_purges p
                where p.scope_key = scope and p.generation = its_generation and p.document_id = d.document_id), 2147483647))
        from (
          -- Not an equality, and ordered by the state too: else the planner may walk the primary key, past all of other states.
          (select * from documents d
            where d.scope_key = scope and d.generation = its_generation and d.state between states[1] and states[1]
              and d.seq > after_seq order by d.state, d.seq limit most)
          union all
          (select * from documents d
            where d.scope_key = scope and d.generation = its_generation and d.state between states[2] and states[2]
              and d.seq > after_seq order by d.state, d.seq limit most)) d
       order by d.seq limit most;
  end if;
end $$;
