-- Up Migration

-- An assistant changes something in two steps: it tries the change and gets a handle, and the same change with the handle is made.
-- A handle is for one person, one app and one content, works once, and not for long.
create table change_handles (
  handle_hash bytea primary key check (length(handle_hash) = 32),
  user_id uuid not null references users on delete cascade,
  app_id uuid not null references apps on delete cascade,
  tool text not null check (length(tool) between 1 and 64),
  content_hash bytea not null check (length(content_hash) = 32),
  basis jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (expires_at <= created_at + interval '10 minutes'),
  used_at timestamptz check (used_at <= expires_at)
);
comment on column change_handles.content_hash is 'Of the tool and its arguments: the change that was tried.';
comment on column change_handles.basis is 'What the trial was based on, such as the versions of rows: the change is refused if that is no longer so.';
create index change_handles_expires_at on change_handles (expires_at);
create index change_handles_user on change_handles (user_id);
create index change_handles_app on change_handles (app_id);
select annotate('change_handles', null, '@erase delete'), annotate('change_handles', 'user_id', '@subject account');

-- Only its use is ever written into it, and only once.
create function keep_change_handle() returns trigger language plpgsql as $$
begin
  if old.used_at is not null or new.used_at is null or to_jsonb(old) - 'used_at' <> to_jsonb(new) - 'used_at' then
    raise exception 'a handle is used once, and never changes' using errcode = 'MN001';
  end if;
  return new;
end $$;
create trigger change_handles_keep before update on change_handles for each row execute function keep_change_handle();
