-- Up Migration
-- The administration pages read the audit trail newest first, by table, masjid, person or app. Rows of one transaction have
-- the same time, so each index ends with the order of writing: a page after a large load needs no sorting.
create index written_rows_table_newest on written_rows (table_name, at, id);
create index written_rows_masjid_newest on written_rows (masjid_id, at, id);
create index written_rows_user_newest on written_rows (user_id, at, id) where user_id is not null;
create index written_rows_app_newest on written_rows (app_id, at, id) where app_id is not null;
-- Deletions and restorations are rare among all the rest.
create index written_rows_removal_newest on written_rows (kind, at, id) where kind in ('delete', 'restore');
drop index written_rows_masjid_id_at_idx;
drop index written_rows_user_id_at_idx;
