-- A fact is in dispute no longer once all contradictions of it that are shown were decided, though others be left out.
alter table claim_groups add column decided boolean not null default false;
drop index claim_groups_in_order;
create index claim_groups_in_order on claim_groups
  (scope_key, generation, (case when disputes > 0 and not decided then 'disputed' when varied then 'varied' else 'agreed' end),
   (-documents), group_key)
  where documents > 1 and words is not null;
