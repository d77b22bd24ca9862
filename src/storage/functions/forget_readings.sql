-- Kept for replicas of 0.1.0, which do not know what is filed and what is not: their deletions answer 503.
create or replace function forget_readings(scope bigint, its_generation int, seqs bigint[], retracted text[]) returns json
language plpgsql as $$
begin
  raise 'A newer release is being rolled out; ask one of its replicas.' using errcode = 'cannot_connect_now';
end $$;
