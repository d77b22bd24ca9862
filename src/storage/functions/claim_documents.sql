-- Kept for replicas of 0.1.0, whose turns are of one lane.
--
-- Claims for the holder of a lease the next documents in order of seq, up to a number and a size, at least one: those
-- that are queued, and those whose time to be tried again has come, the longest due first when not all fit.
--
-- Rows are looked up by their whole keys, one by one: a join that is free to read all documents of the scope will, on a service
-- that is a few minutes old, whose tables were not analyzed since they were empty. `documents` has three indexes that begin
-- alike, and while it is empty any of them looks as good: `between` and an order leave only the one by seq. Since that leaves
-- but one way to run it, it is planned once: planning it for each batch was more than a third of what a batch cost Postgres.
create or replace function claim_documents(lane bigint, worker text, its_epoch bigint, most int, most_bytes bigint)
returns table (seq float8, document_id text, version int, attempts int, name text, type text, text text)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  its_generation int;
  from_seq bigint;
  seqs bigint[];
  moment timestamptz := clock_timestamp();
begin
  perform set_config('synchronous_commit', 'off', true);
  select generation into its_generation from lanes
   where scope_key = lane and holder = worker and epoch = its_epoch and ready_at > moment for update;
  if not found then return; end if;
  select queued_from into from_seq from scopes where scope_key = lane;

  select coalesce(array_agg(chosen.seq), '{}') into seqs from (
    select due.seq, sum(octet_length(c.text)) over (order by due.seq) as bytes, row_number() over (order by due.seq) as nth
      from (
        -- Not an equality, and ordered by the state too: while most documents are queued, the planner would walk the
        -- primary key, past all that are processed already.
        (select d.seq from documents d
          where d.scope_key = lane and d.generation = its_generation and d.state between 'queued' and 'queued'
            and d.seq >= from_seq
          order by d.state, d.seq limit most)
        union all
        (select d.seq from documents d
          where d.scope_key = lane and d.generation = its_generation and d.state = 'retrying'
            and d.not_before <= moment order by d.not_before limit most)
        order by 1 limit most
      ) due
     cross join lateral (
       select c.text from document_contents c
        where c.scope_key = lane and c.generation = its_generation and c.seq = due.seq limit 1) c
  ) chosen where chosen.nth = 1 or chosen.bytes <= most_bytes;

  update lanes set claimed = seqs, claimed_at = clock_timestamp() where scope_key = lane;
  return query
    select d.seq::float8, d.document_id, d.version, d.attempts::int, c.name, c.type, c.text
      from unnest(seqs) as wanted (seq)
     cross join lateral (
       select * from documents d
        where d.scope_key = lane and d.generation = its_generation and d.seq between wanted.seq and wanted.seq
        order by d.seq limit 1) d
     cross join lateral (
       select * from document_contents c
        where c.scope_key = lane and c.generation = its_generation and c.seq = wanted.seq limit 1) c
     order by d.seq;
end $$;
