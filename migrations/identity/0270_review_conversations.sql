-- Up Migration

-- A reviewer may ask for changes instead of rejecting. The app, or the change, stays pending and editable, and leaves the queue until
-- its team sends it again.
alter table apps add column changes_requested_at timestamptz;
comment on column apps.changes_requested_at is 'Since when a reviewer waits for its team; null while it waits for a reviewer.';
alter table app_changes add column changes_requested_at timestamptz;
comment on column app_changes.changes_requested_at is 'Since when a reviewer waits for the team of the app.';

-- What the team of an app and its reviewers write to each other.
create table app_messages (
  id bigint generated always as identity primary key,
  app_id uuid not null references apps on delete cascade,
  change_id uuid references app_changes on delete set null,
  author_id uuid not null references users,
  side text not null check (side in ('team', 'reviewer')),
  kind text not null default 'message' check (kind in ('message', 'changes_requested', 'sent_again')),
  body text not null check (length(body) <= 4000),
  snapshot jsonb not null default '{}',
  written_at timestamptz not null default clock_timestamp(),
  check (kind <> 'changes_requested' or side = 'reviewer'),
  check (kind <> 'sent_again' or side = 'team'),
  check (kind = 'sent_again' or body ~ '\S')
);
comment on table app_messages is 'The conversation between the team of an app and its reviewers.';
comment on column app_messages.change_id is 'The change request it is about; null for the app itself.';
comment on column app_messages.snapshot is 'What the app asked for when changes were requested.';
create index app_messages_app on app_messages (app_id, id);
create index app_messages_author on app_messages (author_id);
create index app_messages_change on app_messages (change_id) where change_id is not null;

-- What reviewers tell each other. A table of its own, so that no page of a team reads it by mistake.
create table app_notes (
  id bigint generated always as identity primary key,
  app_id uuid not null references apps on delete cascade,
  author_id uuid not null references users,
  body text not null check (length(body) <= 4000 and body ~ '\S'),
  written_at timestamptz not null default clock_timestamp()
);
comment on table app_notes is 'Notes of reviewers about an app, which its team never sees.';
create index app_notes_app on app_notes (app_id, id);
create index app_notes_author on app_notes (author_id);

-- Whoever speaks as a reviewer is one at this very moment, and outside the team.
create function check_speaks_as_reviewer(author uuid, app uuid) returns void language plpgsql as $$
begin
  perform minaret.check_decider(author, (select owner_id from minaret.apps where id = app));
  perform minaret.check_outside_team(author, app);
end $$;

create function check_app_note() returns trigger language plpgsql as $$
begin
  perform minaret.check_speaks_as_reviewer(new.author_id, new.app_id);
  return new;
end $$;
create trigger app_notes_check before insert on app_notes for each row execute function check_app_note();

create function check_team_message(author uuid, app uuid) returns void language plpgsql as $$
begin
  perform from minaret.app_members member join minaret.users on users.id = member.user_id
  where member.app_id = app and member.user_id = author and member.role in ('owner', 'developer') and users.disabled_at is null
  for share;
  if not found then
    raise exception 'only the team of an app writes for it' using errcode = 'MN006';
  end if;
  -- Every message is a mail to reviewers.
  perform pg_advisory_xact_lock(hashtextextended(app::text, 6206173));
  if (select count(*) from minaret.app_messages
      where app_id = app and side = 'team' and written_at > now() - interval '1 day') >= 30 then
    raise exception 'a team writes at most 30 messages a day' using errcode = 'MN011';
  end if;
end $$;

-- Requested changes and resubmissions are messages too, and move what they are about in the same statement.
create function check_app_message() returns trigger language plpgsql as $$
declare
  asked timestamptz := case new.kind when 'changes_requested' then clock_timestamp() end;
begin
  if new.side = 'reviewer' then
    perform minaret.check_speaks_as_reviewer(new.author_id, new.app_id);
  else
    perform minaret.check_team_message(new.author_id, new.app_id);
  end if;
  if new.kind = 'message' then
    perform from minaret.apps where id = new.app_id and deleted_at is null and development_of is null;
  elsif new.change_id is not null then
    update minaret.app_changes set changes_requested_at = asked,
      requested_at = case when asked is null then clock_timestamp() else requested_at end
    where id = new.change_id and app_id = new.app_id and state = 'pending'
      and (asked is not null or changes_requested_at is not null);
  else
    update minaret.apps as app set changes_requested_at = asked,
      submitted_at = case when asked is null then clock_timestamp() else submitted_at end
    where id = new.app_id and state = 'pending' and deleted_at is null and development_of is null
      and (asked is not null or changes_requested_at is not null)
    returning minaret.app_snapshot(app) into new.snapshot;
  end if;
  if not found then
    raise exception 'the app or its change is no longer pending' using errcode = 'MN001';
  end if;
  return new;
end $$;
create trigger app_messages_check before insert on app_messages for each row execute function check_app_message();

-- An edit answers the request, and a decision ends it.
create function end_requested_changes() returns trigger language plpgsql as $$
begin
  new.changes_requested_at := null;
  if new.state = 'pending' then
    new.submitted_at := clock_timestamp();
  end if;
  return new;
end $$;
create trigger apps_end_requested_changes before update on apps for each row
  when (old.changes_requested_at is not null and (new.revision <> old.revision or new.state <> old.state))
  execute function end_requested_changes();

select annotate(target::regclass, name, line) from (values
  ('minaret.app_messages', null, '@erase delete'),
  ('minaret.app_messages', 'author_id', '@subject account'),
  ('minaret.app_notes', null, '@erase delete'),
  ('minaret.app_notes', 'author_id', '@subject account')
) declared (target, name, line);
