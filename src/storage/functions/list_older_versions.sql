-- Of each of these documents the versions below one that are not superseded, as far down as to the newest that is processed: below
-- that one all are. [nth, seq, version, state, claims] each, the place counted from 1.
create or replace function list_older_versions(scopes bigint[], generations int[], ids text[], versions int[]) returns json
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  item record;
  older record;
  found json[] := '{}';
begin
  for item in select * from unnest(scopes, generations, ids, versions) with ordinality as w (scope, generation, id, version, nth) loop
    for older in
      select d.seq, d.version, d.state, d.claims from documents d
       where d.scope_key = item.scope and d.generation = item.generation and d.document_id = item.id and d.version < item.version
       order by d.version desc
    loop
      exit when older.state = 'superseded';
      found := found || json_build_array(item.nth, older.seq, older.version, older.state, older.claims);
      exit when older.state = 'processed';
    end loop;
  end loop;
  return to_json(found);
end $$;
