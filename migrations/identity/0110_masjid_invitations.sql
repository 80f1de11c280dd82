-- Up Migration
-- Invitations to look after a masjid: sent to an address, accepted once, by the account whose confirmed address it is.
-- The token is stored as a digest only.

create table minaret.masjid_invitations (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null,
  email text not null check (length(email) <= 254),
  capabilities text[] not null check (cardinality(capabilities) between 1 and 7
    and capabilities <@ '{times,events,announcements,people,giving,screens,capabilities}'::text[]),
  token_hash bytea not null unique,
  invited_by uuid not null references minaret.users on delete cascade,
  sent integer not null default 1 check (sent between 1 and 5),
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  accepted_by uuid references minaret.users on delete set null,
  withdrawn_at timestamptz,
  constraint masjid_invitations_end_check check (accepted_at is null or withdrawn_at is null)
);
create unique index masjid_invitations_open_key on minaret.masjid_invitations (masjid_id, lower(email))
  where accepted_at is null and withdrawn_at is null;
create index on minaret.masjid_invitations (invited_by, created_at);
comment on table minaret.masjid_invitations is 'Invitations to look after a masjid, open, accepted and withdrawn.';

-- Whoever reads somebody's mail, or is sent the link by mistake, cannot use it with another account.
create function minaret.check_invited_account() returns trigger
language plpgsql as $$
begin
  if not exists (
    select from minaret.users
    where id = new.accepted_by and lower(email) = lower(new.email) and email_verified_at is not null and disabled_at is null) then
    raise exception 'An invitation is accepted by the account with its confirmed address.' using errcode = 'check_violation',
      constraint = 'masjid_invitations_account_check', table = 'masjid_invitations';
  end if;
  return new;
end
$$;
create trigger check_account before update of accepted_by on minaret.masjid_invitations
  for each row when (new.accepted_by is not null) execute function minaret.check_invited_account();

-- Nobody mails strangers in bulk through us.
create function minaret.limit_invitations() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.invited_by::text, 6206171));
  if (select count(*) from minaret.masjid_invitations
      where invited_by = new.invited_by and created_at > now() - interval '1 day') >= 50 then
    raise exception 'A person sends at most 50 invitations a day.' using errcode = 'check_violation',
      constraint = 'masjid_invitations_limit_check', table = 'masjid_invitations';
  end if;
  return new;
end
$$;
create trigger limit_invitations before insert on minaret.masjid_invitations
  for each row execute function minaret.limit_invitations();
