-- Adds to the counters of these scopes, which the transaction has locked, what was planned, and moves their revision on. Where a
-- `status` is planned, it is that of a new point of convergence. Whoever writes readings of older rules than the scope was read by,
-- as a replica of an older release may, has it looked through again.
create or replace function write_scopes(settling bigint[], plans json) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
begin
  update scopes s
     set recency = s.recency + (random() < 0.02)::int,
         registered = s.registered + p.registered, pending = s.pending + p.pending, queued = s.queued + p.queued,
         retrying = s.retrying + p.retrying, processed = s.processed + p.processed, failed = s.failed + p.failed,
         superseded = s.superseded + p.superseded, claims = s.claims + p.claims, groups = s.groups + p.groups,
         groups_shared = s.groups_shared + p.groups_shared, groups_disputed = s.groups_disputed + p.groups_disputed,
         contradictions_open = s.contradictions_open + p.contradictions_open,
         contradictions_resolved = s.contradictions_resolved + p.contradictions_resolved,
         contradictions_deferred = s.contradictions_deferred + p.contradictions_deferred,
         contradictions_left_out = s.contradictions_left_out + p.contradictions_left_out,
         contradictions_critical = s.contradictions_critical + p.contradictions_critical,
         revision = s.revision + 1, filed_up_to = greatest(s.filed_up_to, p.filed_up_to),
         -- Before anything is filed, what stands there is of a past generation: the release before leaves it when it resets a scope.
         keys_filed_up_to = case when p.keys_filed_up_to is not null then p.keys_filed_up_to
                                 when s.filed_up_to >= 0 then s.keys_filed_up_to end,
         rules = case when p.rules is null then s.rules when s.revision = 0 and s.filed_up_to < 0 then p.rules
                      else least(s.rules, p.rules) end,
         reread_from = case when p.rules < s.rules then 0 else coalesce(p.reread_from, s.reread_from) end,
         reread_tries = case when p.reread_from is null then s.reread_tries else 0 end,
         reread_at = case when p.reread_from is null then s.reread_at else '-infinity' end,
         points = s.points + (p.status is not null)::int, convergence = coalesce(p.status, s.convergence),
         removed_at = case when p.forget is null then s.removed_at else s.revision + 1 end,
         queued_from = coalesce(
           (select d.seq from documents d
             where d.scope_key = s.scope_key and d.generation = s.generation and d.state between 'queued' and 'queued'
               and d.seq >= s.queued_from order by d.state, d.seq limit 1), s.next_seq)
    from (select p.*, its.ctid as row
            from json_to_recordset(plans)
                   as p (lane bigint, revision bigint, registered int, pending int, queued int, retrying int, processed int, failed int,
                         superseded int, claims int, groups int, groups_shared int, groups_disputed int, contradictions_open int,
                         contradictions_resolved int, contradictions_deferred int, contradictions_critical int,
                         contradictions_left_out int, filed_up_to bigint, keys_filed_up_to bigint, forget bigint[], status text, rules smallint,
                         reread_from bigint)
           cross join lateral (select ctid from scopes s where s.scope_key = p.lane order by recency desc limit 1) its
           where p.lane = any (settling) and p.revision is not null) p
   where s.ctid = p.row;
end $$;
