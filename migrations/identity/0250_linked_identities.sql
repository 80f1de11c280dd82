-- Up Migration

-- Accounts that people have at other OpenID providers, each linked to one account here. It is known by issuer and subject, never by
-- its email address: addresses change hands, and not every provider checks them.
create table linked_identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  provider text not null check (provider ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  email text check (length(email) <= 254),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  unique (issuer, subject)
);
create index linked_identities_user on linked_identities (user_id);
comment on table linked_identities is E'@erase delete\nAccounts at other OpenID providers by which people sign in here.';
comment on column linked_identities.user_id is '@subject account';
comment on column linked_identities.email is 'As the provider said it when the account was linked. Only shown, never looked up.';

create function keep_linked_identity() returns trigger language plpgsql as $$
begin
  raise exception 'a linked identity keeps its owner and its subject' using errcode = 'MN001';
end $$;
create trigger linked_identities_keep before update on linked_identities for each row
  when ((old.user_id, old.issuer, old.subject) <> (new.user_id, new.issuer, new.subject))
  execute function keep_linked_identity();

-- How the first step was taken: a password, or another provider.
alter table sign_in_challenges add column amr text[] not null default '{pwd}';
comment on column sign_in_challenges.amr is 'How the first step was taken (RFC 8176).';
