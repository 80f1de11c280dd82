-- Up Migration
-- Reads all entries once, while others write: attaching the tables then needs no look at them.
alter table audit_log validate constraint before_months;
alter table read_log validate constraint before_months;

-- Writers wait for these, a second for some million entries. Who has more than that creates them before the upgrade, with the same
-- names and `create unique index concurrently`.
create unique index if not exists audit_log_months_key on audit_log (at, id);
create unique index if not exists read_log_months_key on read_log (at, id);
