-- Up Migration
-- A followed source that takes too long to read is read three times, and then only when a person asks: `next_attempt_at` is infinity.
alter table followed_sources add column costly integer not null default 0;
comment on column followed_sources.costly is 'How often it took too long to read since it last gave something.';
