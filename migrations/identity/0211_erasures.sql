-- Up Migration
-- Accounts that are to be erased, after a time in which the person can call it off, and what is left of those that were.

alter table users add column erased_at timestamptz;
comment on column users.erased_at is 'When the account was erased: nothing in this row leads to a person any more.';
alter table users add constraint users_erased_check check (erased_at is null or (disabled_at is not null and password_hash is null
  and email_verified_at is null and picture is null and email like 'erased-%@erased.invalid'));

create table erasures (
  user_id uuid primary key references users on delete cascade,
  asked_at timestamptz not null default now(),
  asked_by text not null check (asked_by in ('themselves', 'command')),
  due_at timestamptz not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  stays_disabled boolean not null default false,
  started_at timestamptz,
  email text,
  member_ids uuid[] not null default '{}',
  household_ids uuid[] not null default '{}'
);
create index erasures_due on erasures (due_at);
comment on table erasures is E'@erase delete\nAccounts that are to be erased. The row goes with the last step.';
comment on column erasures.user_id is '@subject account';
comment on column erasures.token_hash is 'Of the link that calls it off.';
comment on column erasures.stays_disabled is 'An administrator disabled the account meanwhile: calling the erasure off does not enable it.';
comment on column erasures.started_at is 'From then on it cannot be called off.';
comment on column erasures.email is 'Address, memberships and households when it started: the steps that delete them can be repeated.';

-- While it waits, the account is disabled, whatever enables it calls the erasure off, and nothing undoes one that has started.
create function check_enabling() returns trigger language plpgsql as $$
begin
  if old.erased_at is not null or exists (select from minaret.erasures where user_id = new.id and started_at is not null) then
    raise exception 'the account was erased' using errcode = 'MN001';
  end if;
  delete from minaret.erasures where user_id = new.id;
  return new;
end $$;
create trigger users_check_enabling before update of disabled_at on users for each row
  when (old.disabled_at is not null and new.disabled_at is null) execute function check_enabling();

create function keep_erased() returns trigger language plpgsql as $$
begin
  raise exception 'the account was erased' using errcode = 'MN001';
end $$;
create trigger users_keep_erased before update on users for each row
  when (old.erased_at is not null and (new.erased_at, new.email, new.name, new.disabled_at, new.is_admin, new.is_reviewer)
    is distinct from (old.erased_at, old.email, old.name, old.disabled_at, old.is_admin, old.is_reviewer))
  execute function keep_erased();

create function notify_erasure() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_erasures', '');
  return null;
end $$;
create trigger erasures_notify after insert or update of due_at on erasures for each statement execute function notify_erasure();

-- After a backup is restored, those who were erased since have to be erased again. A digest of the account's random identifier:
-- it finds the account in a restored database and tells nothing to those who do not have one.
create table erased_accounts (
  account_hash bytea primary key check (length(account_hash) = 32),
  erased_at timestamptz not null default now()
);
comment on table erased_accounts is 'Digests of the identifiers of erased accounts.';

-- Apps are told which of the people they knew is gone.
alter table webhook_deliveries drop constraint webhook_deliveries_kind_check,
  add constraint webhook_deliveries_kind_check check (kind in ('change', 'gap', 'test', 'person'));
comment on column webhook_deliveries.kind is 'change: of data. gap: changes are missing. test: the owner''s. person: an account was erased; its sub is in key.';
