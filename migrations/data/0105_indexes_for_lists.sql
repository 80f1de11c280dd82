-- The masjids of a city are shown by name: one index finds them in that order, however many a city has, and only those that are shown.
drop index up_masjids_city_idx;
create index on up_masjids (city, name, id) where deleted_at is null;

-- The next events of a masjid, as lists show them, come from the index alone: a page of 25 masjids spares 75 looks at the table.
-- Counts of RSVPs, which change often, are not in it. The plain one is for the foreign key.
drop index up_events_masjid_id_starts_local_idx;
create index on up_events (masjid_id, starts_local) include (id, title) where deleted_at is null;
create index on up_events (masjid_id);
