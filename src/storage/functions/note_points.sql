-- Adds a point to each of these scopes, {scope, status, agreement, …}, and, last, appends events.
create or replace function note_points(noted json, batch json) returns text
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  with point as materialized (
    select * from json_to_recordset(noted)
             as p (scope bigint, status text, agreement float8, coverage float8, stability float8, corroboration float8,
                   score float8, disagreement float8)
  ), counted as (
    update scopes s set points = points + 1, convergence = p.status
      from point p where s.scope_key = any (array(select scope from point)) and s.scope_key = p.scope
    returning s.scope_key, s.points
  ), old as (
    delete from convergence_points where ctid = any (array(
      select c.ctid from counted cross join lateral (
        select ctid from convergence_points p
         where p.scope_key = counted.scope_key and p.point <= counted.points - 100 order by p.point limit 10) c))
  )
  insert into convergence_points (scope_key, point, agreement, coverage, stability, corroboration, score, disagreement)
  select c.scope_key, c.points, agreement, coverage, stability, corroboration, score, disagreement
    from counted c join point p on p.scope = c.scope_key order by 1;
  return append_events(batch);
end $$;
