-- Up Migration

-- Registrations that somebody has begun: the form as it was typed, for its author alone.
create table app_drafts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  form jsonb not null check (length(form::text) <= 30000),
  updated_at timestamptz not null default now()
);
comment on table app_drafts is 'Registrations of apps that were begun and not sent.';
create index app_drafts_user on app_drafts (user_id, updated_at);
create index app_drafts_updated_at on app_drafts (updated_at);

create function keep_few_drafts() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 6206173));
  delete from minaret.app_drafts where id in (select id from minaret.app_drafts
    where user_id = new.user_id order by updated_at desc offset 20);
  return null;
end $$;
create trigger app_drafts_few after insert on app_drafts for each row execute function keep_few_drafts();

select annotate(target::regclass, name, line) from (values
  ('minaret.app_drafts', null, '@erase delete'),
  ('minaret.app_drafts', 'user_id', '@subject account')
) declared (target, name, line);
