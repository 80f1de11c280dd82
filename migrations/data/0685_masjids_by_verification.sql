-- Up Migration
-- Administrators page through masjids by whether they are verified and by name: a page is read from here, whatever the number of masjids.
create index up_masjids_by_verification on up_masjids (verification, name, id) where deleted_at is null;
