-- Adds the points of convergence that are planned for these scopes. The last hundred of a scope are kept.
create or replace function write_points(settling bigint[], plans json) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into convergence_points (scope_key, point, agreement, coverage, stability, corroboration, score, disagreement)
  select p.lane, its.point, agreement, coverage, stability, corroboration, score, disagreement
    from json_to_recordset(plans) as p (lane bigint, status text, point json)
   cross join lateral json_to_record(p.point)
           as its (point bigint, agreement float8, coverage float8, stability float8, corroboration float8, score float8,
                   disagreement float8)
   where p.lane = any (settling) and p.status is not null order by 1;
  delete from convergence_points where ctid = any (array(
    select old.ctid from unnest(settling) as its (key)
     cross join lateral (select points from scopes s where s.scope_key = its.key order by recency desc limit 1) s
     cross join lateral (
       select ctid from convergence_points p
        where p.scope_key = its.key and p.point <= s.points - 100 order by p.point limit 10) old));
end $$;
