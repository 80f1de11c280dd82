-- Up Migration

-- The day that the invented data of the sandbox are counted from; one row, written with the data in one transaction.
create table sandbox_renewals (
  only_one boolean primary key default true check (only_one),
  day date not null,
  renewed_at timestamptz not null default now()
);
