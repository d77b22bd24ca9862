-- Counts one more in each of these places of a histogram, as often as it is named.
create or replace function count_places(histogram int[], places int[]) returns int[] language plpgsql immutable as $$
declare
  place int;
begin
  foreach place in array places loop histogram[place] := histogram[place] + 1; end loop;
  return histogram;
end $$;
