-- The masjids of a city are shown by name: one index finds them in that order, however many a city has, and only those that are shown.
drop index up_masjids_city_idx;
create index on up_masjids (city, name, id) where deleted_at is null;
