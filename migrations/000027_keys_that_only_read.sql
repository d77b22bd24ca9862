-- Keys that only read have a tier of their own: a replica of the release before knows no such tier, and admits them to nothing.
alter table api_keys drop constraint api_keys_tier_check;
alter table api_keys add constraint api_keys_tier_check
  check (tier in ('tenant', 'admin', 'internals', 'admin_reader', 'internals_reader'));
