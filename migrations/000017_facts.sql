-- Facts can be read: what older rules have read comes to be found as it is read again.
alter table claim_groups add column varied boolean;
alter table claim_groups add column words text[];
alter table claim_groups add column said_at timestamptz;
create index claim_groups_in_order on claim_groups
  (scope_key, generation, (case when disputes > 0 then 'disputed' when varied then 'varied' else 'agreed' end), (-documents),
   group_key)
  where documents > 1 and words is not null;

create table claim_evidence (
  scope_key  bigint not null,
  generation int not null,
  group_key  bigint not null,
  value_key  bigint not null,
  seq        bigint not null,
  primary key (scope_key, generation, group_key, value_key, seq)
);

create table fact_words (
  scope_key  bigint not null,
  generation int not null,
  word       text collate "C" not null,
  group_key  bigint not null,
  primary key (scope_key, generation, word, group_key)
);
