-- Up Migration
-- Refreshes from where the last one came from are counted, not listed: they were most of the audit log.
alter table refresh_tokens add column asked_from text;
comment on column refresh_tokens.asked_from is 'The network address that it was given to; null for the first of a grant.';
