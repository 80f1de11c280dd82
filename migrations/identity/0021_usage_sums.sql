-- Up Migration

-- Arrays of counts, added up element by element over many rows.
create aggregate sum_counts(integer[]) (sfunc = add_counts, stype = integer[]);

-- The aggregate begins with null, which must count as nothing.
create or replace function add_counts(a integer[], b integer[]) returns integer[] language sql immutable as $$
  select case when a is null then b when b is null then a else (
    select coalesce(array_agg(coalesce(x, 0) + coalesce(y, 0) order by place), '{}')
    from unnest(a, b) with ordinality as pairs (x, y, place)) end
$$;
