-- Up Migration

-- Every change of an e-mail address that was asked for. The old address can undo it for seven days, whatever happens to
-- the account in between: whoever knew the password for a moment must not keep the account.
create table email_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  old_email text not null,
  new_email text not null,
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  undone_at timestamptz,
  undo_expires_at timestamptz not null default now() + interval '7 days'
);
comment on column email_changes.undone_at is 'Stopped or taken back, by its own link or by that of an earlier change.';
create index email_changes_user on email_changes (user_id, id);
create index email_changes_old_email on email_changes (lower(old_email)) where confirmed_at is not null and undone_at is null;
create index email_changes_undo_expires_at on email_changes (undo_expires_at);

alter table mail_tokens add column change_id bigint references email_changes on delete cascade;
alter table mail_tokens drop constraint mail_tokens_purpose_check;
alter table mail_tokens add constraint mail_tokens_purpose_check
  check (purpose in ('confirm', 'reset', 'change_email', 'stop_email_change'));
create index mail_tokens_change on mail_tokens (change_id) where change_id is not null;

-- Nobody was told of the changes that wait at this moment: they must be asked for again.
update mail_tokens set used_at = now() where purpose = 'change_email' and used_at is null;
alter table mail_tokens add constraint mail_tokens_change_check
  check (used_at is not null or (change_id is not null) = (purpose in ('change_email', 'stop_email_change')));

-- A new password or address voids every link of the account, whoever sets it; only the links that undo a change stay.
-- The same password, hashed with stricter settings, is no new one: the code says so for its transaction.
create function void_mail_tokens() returns trigger language plpgsql as $$
begin
  if lower(new.email) = lower(old.email) and current_setting('minaret.same_password', true) = 'on' then
    return null;
  end if;
  update minaret.mail_tokens set used_at = now()
  where user_id = new.id and purpose <> 'stop_email_change' and used_at is null;
  return null;
end $$;
create trigger users_void_mail_tokens after update on users for each row
  when (new.password_hash is distinct from old.password_hash or lower(new.email) <> lower(old.email))
  execute function void_mail_tokens();

-- An address that can still be taken back is kept for its account. After, not before: the row may have waited for the very
-- transaction that gave the address up, and only a later look sees what that one wrote.
create function keep_undoable_email() returns trigger language plpgsql as $$
begin
  if exists (select from minaret.email_changes c where lower(c.old_email) = lower(new.email) and c.user_id <> new.id
      and c.confirmed_at is not null and c.undone_at is null and c.undo_expires_at > now()) then
    raise exception 'the address is kept for the account that had it' using errcode = 'MN004';
  end if;
  return null;
end $$;
create trigger users_keep_undoable_email after insert or update of email on users
  for each row execute function keep_undoable_email();
