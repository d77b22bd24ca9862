-- Leases a scope of the next tenant after one for reading again what older rules have read, up to a number and a size, at least one
-- document. After a take that was never settled there are fewer, so that the one that is to blame is found. Its lane is there for the
-- lease alone, and claims nothing, since its documents are processed and stay so: when the lease runs out, whoever takes the lane finds
-- nothing to do. Returns null when no tenant comes after that one; otherwise the tenant, with the lane, or with the scope of which
-- nothing is left to be read again, or alone where there is nothing now.
create or replace function take_reread(worker text, its_rules int, after_tenant text, lease_ms int, most_documents int, most_bytes bigint)
returns json language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  moment timestamptz;
  next text[];
  s scopes;
  looked bigint[];
  turn json;
  its_epoch bigint;
begin
  if not exists (select from runtime where state = 'running' and rereads) then return null; end if;
  perform set_config('synchronous_commit', 'off', true);
  -- The same as for other takes: two would find the same scope.
  perform pg_advisory_xact_lock(7213003);
  moment := clock_timestamp();
  next := next_reread(its_rules, after_tenant, moment);
  if next is null then return null; end if;
  if next[2] is null then return json_build_object('tenant_id', next[1]); end if;
  select * into s from scopes where scope_key = next[2]::bigint order by recency desc limit 1;
  -- Not all at once: most may be of the newer rules already.
  looked := array(select seq from readings r
                   where r.scope_key = s.scope_key and r.generation = s.generation and r.seq >= s.reread_from order by seq limit 5000);
  turn := list_rereads(s, its_rules, looked[cardinality(looked)],
                       greatest(1, most_documents >> least(30, 4 * s.reread_tries)), most_bytes);
  if turn is null and cardinality(looked) < 5000 then
    return json_build_object('tenant_id', next[1], 'finished', json_build_object(
      'tenant_id', s.tenant_id, 'scope_id', s.scope_id, 'scope_key', s.scope_key::text, 'generation', s.generation));
  end if;
  if turn is null then
    update scopes set reread_from = looked[5000] + 1 where scope_key = s.scope_key;
    return json_build_object('tenant_id', next[1]);
  end if;
  -- Whoever holds it gives the tenant its first lane or takes its last, and all takes would wait for that one.
  perform from tenant_turns where tenant_id = s.tenant_id for update skip locked;
  if not found and exists (select from tenant_turns where tenant_id = s.tenant_id) then
    return json_build_object('tenant_id', next[1]);
  end if;
  update scopes set reread_tries = least(s.reread_tries, 100) + 1,
                    reread_at = moment + least(300, 4 ^ least(s.reread_tries, 10)) * interval '1 second'
   where scope_key = s.scope_key;
  its_epoch := nextval('lane_epochs');
  insert into lanes (scope_key, tenant_id, scope_id, generation, held, ready_at, holder, epoch, claimed_at)
  values (s.scope_key, s.tenant_id, s.scope_id, s.generation, false, moment + lease_ms * interval '1 ms', worker, its_epoch, moment);
  insert into tenant_turns (tenant_id) values (s.tenant_id)
  on conflict (tenant_id) do update set busy = true where not tenant_turns.busy;
  return json_build_object('tenant_id', next[1], 'lane', json_build_object(
    'scope_key', s.scope_key::text, 'tenant_id', s.tenant_id, 'scope_id', s.scope_id, 'generation', s.generation,
    'epoch', its_epoch::text, 'suspects', 0, 'head', scope_head(s), 'documents', turn));
end $$;
