-- The values of a group among which those are that most of its filed documents have: up to so many of those that several have, and of
-- all in their order.
create or replace function first_values(scope bigint, its_generation int, its_group bigint, most int) returns setof bigint
language sql stable as $$
  (select value_key from claim_values
    where scope_key = scope and generation = its_generation and group_key = its_group and documents > 1
    order by documents desc, value_key limit most)
  union
  (select value_key from claim_values
    where scope_key = scope and generation = its_generation and group_key = its_group order by value_key limit most)
$$;
