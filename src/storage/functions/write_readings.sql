-- Takes away the readings that each plan forgets, adds those that are new, and files those whose time has come, and keys. A plan that
-- does not say up to where keys are filed is of the release before, which files them with the rest.
create or replace function write_readings(settling bigint[], plans json, readings json) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  plan record;
begin
  for plan in
    select * from json_to_recordset(plans) as p (lane bigint, generation int, forget bigint[])
     where lane = any (settling) and forget is not null
  loop
    perform forget_readings_of(plan.lane, plan.generation, plan.forget);
  end loop;
  insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values, revision,
                        rules, pieces, piece_ends, sketch)
  select r.lane, r.generation, r.seq, r.document_id, r.document_hash, r.claims, r.keys, r.groups, r.values, r.revision,
         r.rules, convert_to(r.pieces, 'UTF8'), r.piece_ends, r.sketch
    from json_to_recordset(readings)
           as r (lane bigint, generation int, seq bigint, document_id text, document_hash bigint, claims text, keys bigint[],
                 groups bigint[], values bigint[], revision bigint, rules smallint, pieces text, piece_ends int[], sketch smallint[])
   where r.lane = any (settling);
  for plan in
    select lane, generation, file, case when keys_filed_up_to is null then file else file_keys end as keys
      from json_to_recordset(plans)
             as p (lane bigint, generation int, file bigint[], file_keys bigint[], keys_filed_up_to bigint)
     where lane = any (settling) and (file is not null or file_keys is not null)
  loop
    if plan.file is not null then perform file_readings(plan.lane, plan.generation, plan.file); end if;
    if plan.keys is not null then perform file_keys(plan.lane, plan.generation, plan.keys); end if;
  end loop;
end $$;
