-- Up Migration

-- What was tried how often, by every process together. Whose key it is cannot be read from it, and none outlives its hour;
-- after a crash counting begins anew, which is why nothing of it is written ahead.
create unlogged table counts (
  key bytea primary key,
  tries bigint not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index counts_ends_at on counts (ends_at);
