-- Says which bucket of a histogram of scope_metrics a duration belongs to: four for each doubling of milliseconds.
create or replace function latency_bucket(since timestamptz, until timestamptz) returns int language sql immutable as $$
  select least(108, 1 + floor(4 * ln(greatest(date_part('epoch', until - since) * 1000, 1)) / ln(2))::int)
$$;
