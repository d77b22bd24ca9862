-- Takes an open contradiction that is decided now out of the counts of its groups and of its scope, which the transaction has
-- locked.
create or replace function end_dispute(scope bigint, its_generation int, id text) returns void
language plpgsql set enable_seqscan = off as $$
declare
  touched bigint[] := array(select group_a from contradictions where contradiction_id = id
                            union select group_b from contradictions where contradiction_id = id);
  before int[] := count_groups(scope, its_generation, touched);
  after int[];
begin
  perform count_disputes(scope, its_generation, array[id], -1);
  after := count_groups(scope, its_generation, touched);
  update scopes
     set groups_shared = groups_shared + after[2] - before[2], groups_disputed = groups_disputed + after[3] - before[3],
         revision = revision + 1, contradictions_critical = contradictions_critical
           - (select (severity = 'critical')::int from contradictions where contradiction_id = id)
   where scope_key = scope;
end $$;
