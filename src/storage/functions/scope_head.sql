-- What a plan has to know of a scope: of which revision it is, what is filed, and the counts that a point of convergence is made
-- from. Of those only `changed`, how many groups have another leader than five points ago, is looked up, by an index of its own.
create or replace function scope_head(s scopes) returns json language sql stable as $$
  select json_build_object(
    'scope_key', s.scope_key::text, 'generation', s.generation, 'revision', s.revision, 'filed_up_to', s.filed_up_to,
    -- Never above filed_up_to, which the release before sets alone. The least of a number and null is the number.
    'keys_filed_up_to', least(s.filed_up_to, s.keys_filed_up_to),
    'counts', json_build_object(
      'point', s.points + 1, 'status', s.convergence, 'groups', s.groups, 'shared', s.groups_shared,
      'disputed', s.groups_disputed, 'critical', s.contradictions_critical, 'processed', s.processed,
      'expected', s.pending + s.queued + s.retrying + s.processed + s.failed,
      'changed', (select count(*) from claim_groups g
                   where g.scope_key = s.scope_key and g.generation = s.generation and g.changed_at > s.points - 4),
      'recent', (select coalesce(json_agg(p order by p.point), '[]')
                   from (select * from convergence_points p where p.scope_key = s.scope_key order by point desc limit 6) p)))
$$;
