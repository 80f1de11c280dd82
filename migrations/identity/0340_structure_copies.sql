-- Up Migration
-- A process that starts reads the whole structure of the data, which takes PostgreSQL a tenth of a second for each schema. What one
-- process has read, and found nothing to correct in, is kept for those that start after it.
create table minaret.structure_copies (
  data_schema text primary key,
  mark text not null,
  catalogue text not null,
  logged int8[] not null,
  kept_at timestamptz not null default now()
);
comment on table minaret.structure_copies is 'The structure of each data schema as it was last read whole. Can be emptied at any time.';
comment on column minaret.structure_copies.mark is 'What the catalogue was marked with before it was read: with another mark, something has changed since.';
comment on column minaret.structure_copies.catalogue is 'What was read, as JSON.';
comment on column minaret.structure_copies.logged is 'The tables whose changes are logged, by oid.';
comment on column minaret.structure_copies.kept_at is 'When. Statistics change without a mark, so a copy is used for an hour.';
