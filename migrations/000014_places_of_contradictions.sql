-- Of a document and of a fact only so many contradictions are shown. What is there stays: it loses its place only as others come.
alter table scopes add column contradictions_left_out bigint not null default 0;
alter table scopes add column contradictions_reported bigint not null default 0;
update scopes s set contradictions_reported = (
  select count(*) from contradictions c
   where c.scope_key = s.scope_key and c.generation = s.generation and c.origin = 'reported' and c.status = 'open');

alter table contradictions drop constraint contradictions_status_check;
alter table contradictions
  add constraint contradictions_status_check check (status in ('open', 'resolved', 'deferred', 'left_out'));
alter table contradictions add column precedence bigint;
alter table contradictions add column places smallint not null default 15;
-- In the order that precedenceOf has, after all that newer rules find: the severity, and the first bytes of the hash.
update contradictions
   set precedence = case severity when 'critical' then 0 when 'medium' then 1 else 2 end * (1::bigint << 48)
              + ('x' || encode(substr(pair_sha256, 1, 6), 'hex'))::bit(48)::bigint
 where origin = 'detected';

drop index contradictions_in_order;
create index contradictions_in_order on contradictions (scope_key, generation, ordinal) where status <> 'left_out';
drop index contradictions_by_side_a;
create index contradictions_by_side_a on contradictions (scope_key, generation, seq_a, precedence) where origin = 'detected';
drop index contradictions_by_side_b;
create index contradictions_by_side_b on contradictions (scope_key, generation, seq_b, precedence) where origin = 'detected';
create index contradictions_by_fact_a on contradictions (scope_key, generation, group_a, precedence)
  where origin = 'detected' and places & 3 = 3;
create index contradictions_by_fact_b on contradictions (scope_key, generation, group_b, precedence)
  where origin = 'detected' and places & 3 = 3;
