-- Functions that have lost their file under src/storage/functions. One may stand here when the release before this one calls it
-- no more, either, and has said so ("Kept for"): until then replicas of that release run beside this one. It may leave this list one
-- release later.

-- It left whole flushes undone for one locked scope; 0.1.0 calls the one with four arguments.
drop function if exists accept_documents(json, json, json);

-- Never released; the one that is called is accept_new_documents_traced.
drop function if exists accept_new_documents(
  text[], text[], int[], int[], text[], boolean[], text[], text[], text[], text[], text[], text[], text[], text[], text[], text[], text[], int);

-- They were called by settle_batch and forget_readings of 0.1.0, which no longer do anything.
drop function if exists settle_findings(bigint, int, json, bigint[], bigint[]);
drop function if exists count_readings(bigint, int, bigint[], int);
drop function if exists lead_groups(bigint, int, bigint[]);
drop function if exists note_metrics(bigint, timestamptz, timestamptz, timestamptz[], int, int, int);
drop function if exists latency_bucket(timestamptz, timestamptz);
