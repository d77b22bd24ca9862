-- Finds where a scope's documents since some time begin: seq rises with the time of acceptance, so a few looks are enough.
create or replace function first_seq_since(scope bigint, its_generation int, since timestamptz) returns bigint
language plpgsql stable set enable_bitmapscan = off as $$
declare
  low bigint := 0;
  high bigint := (select next_seq from scopes where scope_key = scope order by recency desc limit 1);
  middle bigint;
  found_seq bigint;
  found_at timestamptz;
begin
  while low < high loop
    middle := (low + high) / 2;
    select seq, accepted_at into found_seq, found_at from documents
     where scope_key = scope and generation = its_generation and seq >= middle order by seq limit 1;
    if not found or found_at >= since then high := middle;
    else low := found_seq + 1;
    end if;
  end loop;
  return low;
end $$;
