-- Kept for replicas of 0.1.0, which note points one by one.
--
-- Adds a point of convergence to a scope that the transaction has locked, and writes the events that go with it. The last
-- hundred points of a scope are kept.
create or replace function note_point(scope bigint, point json, new_status text, events json) returns text
language plpgsql as $$
declare
  nth bigint;
begin
  update scopes set points = points + 1, convergence = new_status where scope_key = scope returning points into nth;
  insert into convergence_points (scope_key, point, agreement, coverage, stability, corroboration, score, disagreement)
  select scope, nth, agreement, coverage, stability, corroboration, score, disagreement
    from json_to_record(point) as p (agreement float8, coverage float8, stability float8, corroboration float8,
                                     score float8, disagreement float8);
  delete from convergence_points where scope_key = scope and convergence_points.point <= nth - 100;
  return append_events(events);
end $$;
