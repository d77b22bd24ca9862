-- Readings are filed in claim_keys and claim_values only once a scope has many of them. All that there are were filed at once.
alter table scopes add column revision bigint not null default 0;
alter table scopes add column removed_at bigint not null default 0;
alter table scopes add column filed_up_to bigint not null default -1;
update scopes set filed_up_to = next_seq - 1;
alter table readings add column revision bigint not null default 0;
