-- Up Migration
-- A position in the log is a transaction's number, and below the oldest transaction that is running. What had been committed between
-- the two when an endpoint was made is in the log behind its position, but was there before it.
alter table minaret.webhook_endpoints add column begins_after pg_snapshot;
comment on column minaret.webhook_endpoints.begins_after is 'What had been committed when it was made: it is told of nothing that this shows. Null: only the position counts.';
