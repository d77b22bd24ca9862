-- Writes what became of the documents of these lanes, and that `older` versions of them are superseded now. Documents are looked up
-- by their whole keys, one by one, and changed by their place: free to join, Postgres would read a scope that has grown since it
-- planned; and by a hash of all places it would read every document there is.
create or replace function write_documents(settling bigint[], documents json, older json, settled_at timestamptz) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
begin
  update documents d
     set state = r.state, attempts = d.attempts + r.tried::int, error = r.error,
         not_before = settled_at + r.retry_ms * interval '1 ms',
         started_at = case when r.again then d.started_at else r.claimed_at end,
         finished_at = case when r.again then d.finished_at when r.state <> 'retrying' then settled_at end, claims = r.claims,
         warnings = coalesce(r.warnings, d.warnings)
    from (select its.place, l.claimed_at, r.*
            from json_to_recordset(documents)
                   as r (lane bigint, generation int, seq bigint, state text, tried boolean, error text, retry_ms int, claims int,
                         warnings text[], again boolean)
           cross join lateral (select claimed_at from lanes l where l.scope_key = r.lane limit 1) l
           cross join lateral (
             select ctid as place from documents d
              where d.scope_key = r.lane and d.generation = r.generation and d.seq between r.seq and r.seq
              order by d.seq limit 1) its
           where r.lane = any (settling)) r
   where d.ctid = r.place;
  if older is null then return; end if;
  update documents d set state = 'superseded', not_before = null, finished_at = settled_at, claims = null
   where d.ctid = any (array(
     select its.place from json_to_recordset(older) as r (lane bigint, generation int, seq bigint)
      cross join lateral (
        select ctid as place from documents d
         where d.scope_key = r.lane and d.generation = r.generation and d.seq between r.seq and r.seq
         order by d.seq limit 1) its
      where r.lane = any (settling)));
end $$;
