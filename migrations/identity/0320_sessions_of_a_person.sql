-- Up Migration
-- A sign-in is compared with the earlier ones of the same person, those that have ended too. Without this index it read every
-- session there was.
create index sessions_person on sessions (user_id, created_at);
drop index sessions_user;
