-- Returns what a point of convergence of a scope is measured from.
create or replace function convergence_counts(scope bigint) returns json language sql stable as $$
  select scope_head(s) -> 'counts' from scopes s where s.scope_key = scope order by recency desc limit 1
$$;
