-- The piece of a reading that has what it says in a group, and the place among those that share the piece, from 0 on. There is none
-- of a reading that is not in pieces.
create or replace function cut_piece(pieces bytea, ends int[], groups bigint[], said bigint[], its_group bigint, its_value bigint)
returns table (place int, piece text)
language sql stable as $$
  select its.place - first.place,
         convert_from(substring(pieces from start.byte + 1 for ends[its.place] - start.byte), 'UTF8')
    from unnest(array_positions(groups, its_group)) as its (place)
   cross join lateral (select array_position(ends, ends[its.place]) as place) first
   cross join lateral (select coalesce(ends[first.place - 1], 0) as byte) start
   where pieces is not null and said[its.place] = its_value limit 1
$$;
