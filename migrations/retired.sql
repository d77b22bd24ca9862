-- Functions that have lost their file under src/storage/functions. One may stand here when the release before this one calls it
-- no more, either, and has said so ("Kept for"): until then replicas of that release run beside this one. It stays in this list as
-- long as there may be databases that have it: one of 0.1.0 is upgraded, too, and a replica of the release before that starts beside
-- this one makes it again.

-- Of 0.1.0. The first one left whole flushes undone for one locked scope.
drop function if exists accept_documents(json, json, json);
drop function if exists accept_documents(json, json, json, int);
drop function if exists claim_documents(bigint, text, bigint, int, bigint);
drop function if exists close_dispute(bigint, int, text);
drop function if exists forget_readings(bigint, int, bigint[], text[]);
drop function if exists list_postings(bigint, int, bigint[], bigint[], int, int);
drop function if exists note_point(bigint, json, text, json);
drop function if exists settle_batch(bigint, text, bigint, json, json);
drop function if exists take_lane(text, int, int);

-- They were called by settle_batch and forget_readings of 0.1.0.
drop function if exists settle_findings(bigint, int, json, bigint[], bigint[]);
drop function if exists count_readings(bigint, int, bigint[], int);
drop function if exists lead_groups(bigint, int, bigint[]);
drop function if exists note_metrics(bigint, timestamptz, timestamptz, timestamptz[], int, int, int);
drop function if exists latency_bucket(timestamptz, timestamptz);

-- Of release 1: it knew no traces, and listed groups by no id.
drop function if exists accept_new_documents(
  text[], text[], int[], int[], text[], boolean[], text[], text[], text[], text[], text[], text[], text[], text[], text[], text[], int);
drop function if exists list_unfiled_groups(bigint, int, bigint, int);

-- Of release 2, which looked up a commit by the id of its transaction alone.
drop function if exists append_events(json);

-- Of release 8, which had all readings that are not filed in memory, and took the keys of all that is filed for filed, too.
drop function if exists list_unfiled_readings(bigint[], bigint[]);
drop function if exists list_postings_of_lanes(bigint[], int[], bigint[], bigint[], int, int[]);
