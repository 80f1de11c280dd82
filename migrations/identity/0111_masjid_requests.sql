-- Up Migration
-- Requests to register a masjid, or to look after one that is listed already; a reviewer decides.

create table minaret.masjid_requests (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('register', 'claim')),
  user_id uuid not null references minaret.users on delete cascade,
  masjid_id uuid,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and length(details::text) <= 5000),
  words text not null check (words <> '' and length(words) <= 2000),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn')),
  decided_at timestamptz,
  decided_by uuid references minaret.users on delete set null,
  reviewer_words text check (length(reviewer_words) <= 2000),
  created_at timestamptz not null default now(),
  constraint masjid_requests_decided_check check ((state = 'pending') = (decided_at is null)),
  constraint masjid_requests_claimed_check check (kind = 'register' or masjid_id is not null),
  -- Nobody decides about their own request.
  constraint masjid_requests_own_check check (decided_by <> user_id or state = 'withdrawn'),
  constraint masjid_requests_reason_check check (state <> 'rejected' or reviewer_words is not null)
);
create unique index masjid_requests_claim_key on minaret.masjid_requests (user_id, masjid_id) where state = 'pending' and kind = 'claim';
create index on minaret.masjid_requests (created_at) where state = 'pending';
create index on minaret.masjid_requests (user_id, created_at);
comment on table minaret.masjid_requests is 'Requests to register a masjid or to look after one, and what became of them.';

create function minaret.limit_masjid_requests() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 6206172));
  if (select count(*) filter (where state = 'pending') >= 3 or count(*) >= 10
      from minaret.masjid_requests where user_id = new.user_id and created_at > now() - interval '30 days') then
    raise exception 'A person has at most three open requests, and ten in a month.' using errcode = 'check_violation',
      constraint = 'masjid_requests_limit_check', table = 'masjid_requests';
  end if;
  return new;
end
$$;
create trigger limit_requests before insert on minaret.masjid_requests
  for each row execute function minaret.limit_masjid_requests();
