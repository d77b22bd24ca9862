-- Returns what a point of convergence is measured from. These are counters of the scope; only `changed`, how many groups have
-- another leader than five points ago, is looked up, by an index of its own.
create or replace function convergence_counts(scope bigint) returns json language sql stable as $$
  select json_build_object(
    'point', points + 1, 'status', convergence, 'groups', groups, 'shared', groups_shared, 'disputed', groups_disputed,
    'critical', contradictions_critical, 'processed', processed,
    'expected', pending + queued + retrying + processed + failed,
    'changed', (select count(*) from claim_groups g
                 where g.scope_key = scope and g.generation = scopes.generation and g.changed_at > scopes.points - 4),
    'recent', (select coalesce(json_agg(p order by p.point), '[]')
                 from (select * from convergence_points where scope_key = scope order by point desc limit 6) p))
    from scopes where scope_key = scope
$$;
