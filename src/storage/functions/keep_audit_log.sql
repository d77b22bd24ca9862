-- Refuses to change the audit log: nothing is updated or emptied, and what is deleted is older than a day and deleted by who says
-- that it trims the log. The service has one role, which owns its tables: against an owner who means it no right would help,
-- but no statement of the service, and none that is slipped into it, takes back what was done in the last day.
create or replace function keep_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '1 day' and current_setting('docket.trims_audit_log', true) = 'on' then
      return old;
    end if;
  end if;
  raise restrict_violation using message = format('the audit log is only added to: %s is refused', lower(tg_op));
end $$;

create or replace trigger audit_log_is_kept before update or delete on audit_log
  for each row execute function keep_audit_log();

create or replace trigger audit_log_is_not_emptied before truncate on audit_log
  for each statement execute function keep_audit_log();
