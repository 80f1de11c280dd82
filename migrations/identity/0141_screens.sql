-- Up Migration

-- Grants that belong to a masjid, not to a person: the screens in its halls. They outlive whoever approved them, and reach
-- only what everybody may read.
alter table apps add column grants_to text not null default 'person' check (grants_to in ('person', 'masjid'));
comment on column apps.grants_to is 'Whose the grants of this app are: of the person who allows it, or of a masjid.';

-- An app that is part of the service belongs to nobody.
alter table apps alter column owner_id drop not null;
alter table apps add constraint apps_owner_check check (owner_id is not null or grants_to = 'masjid');

alter table grants alter column user_id drop not null;
alter table grants add column masjid_id uuid;
comment on column grants.masjid_id is 'The masjid whose grant it is; null if it is a person''s. No foreign key: masjids are in the schema of the data.';
alter table grants add constraint grants_holder_check check (num_nonnulls(user_id, masjid_id) = 1);
alter table grants add constraint grants_masjid_reads_check check (masjid_id is null
  or (scopes <@ array['masjid:read', 'events:read', 'prayer-times:read'] and claims = '{}'));
create index grants_masjid on grants (masjid_id) where masjid_id is not null and revoked_at is null;

create function check_grant_holder() returns trigger language plpgsql as $$
begin
  if not exists (select from minaret.apps
    where id = new.app_id and grants_to = case when new.masjid_id is null then 'person' else 'masjid' end) then
    raise exception 'the grant is not of the kind that its app has' using errcode = 'MN001';
  end if;
  return new;
end $$;
create trigger grants_check_holder before insert on grants for each row execute function check_grant_holder();

-- The app that screens are: public, and approved by nobody.
insert into apps (owner_id, name, description, kind, requested_scopes, device_flow, grants_to)
values (null, 'Hall screen', 'Shows the times, announcements and events of a masjid in its hall.', 'public',
  '{masjid:read,events:read,prayer-times:read}', 'on', 'masjid');
update apps set state = 'approved', approved_at = now(), client_id = 'minaret-screen', scopes = requested_scopes,
  plain_claims = '{}'
where grants_to = 'masjid';

create function are_screen_settings(settings jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(settings) = 'object'
    and settings - '{language,clock,type,ground,accent,logo,dark_minutes}'::text[] = '{}'
    and coalesce(settings ->> 'language' in ('en', 'ar', 'en-ar', 'ar-en'), true)
    and coalesce(settings ->> 'clock' in ('24', '12'), true)
    and coalesce(settings ->> 'type' in ('normal', 'large'), true)
    and coalesce(settings ->> 'ground' ~ '^#[0-9a-f]{6}$', true)
    and coalesce(settings ->> 'accent' ~ '^#[0-9a-f]{6}$', true)
    and coalesce(settings ->> 'logo' ~ '^https://' and length(settings ->> 'logo') <= 2000, true)
    and coalesce((settings ->> 'dark_minutes')::int between 0 and 60, true)
$$;

create table screens (
  id uuid primary key default gen_random_uuid(),
  grant_id uuid not null unique references grants on delete cascade,
  masjid_id uuid not null,
  name text not null check (length(trim(name)) between 1 and 60 and name !~ '[[:cntrl:]]'),
  settings jsonb not null default '{}' check (minaret.are_screen_settings(settings)),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  seen_address text check (length(seen_address) <= 100),
  seen_agent text check (length(seen_agent) <= 500)
);
comment on table screens is 'The screens of masjids, each with the grant by which it reads.';
comment on column screens.seen_at is 'When it last asked, at most a minute late.';
create index screens_masjid on screens (masjid_id);
create index screens_creator on screens (created_by) where created_by is not null;

-- Whoever adds a screen looks after screens at that masjid at this moment, or administers the service.
create function check_new_screen() returns trigger language plpgsql as $$
begin
  if not exists (select from minaret.grants where id = new.grant_id and masjid_id = new.masjid_id) then
    raise exception 'the grant is not the masjid''s' using errcode = 'MN001';
  end if;
  if not exists (select from minaret.users where id = new.created_by and is_admin and disabled_at is null)
    and not exists (
      select from public.ua_members member join minaret.users on users.id = member.user_id and users.disabled_at is null
      where member.masjid_id = new.masjid_id and member.user_id = new.created_by and member.status = 'active'
        and member.deleted_at is null
        and ('screens' = any (public.role_capabilities(member.role)) or exists (
          select from public.ua_capabilities held
          where held.masjid_id = member.masjid_id and held.user_id = member.user_id and held.capability = 'screens'
            and held.withdrawn_at is null))) then
    raise exception 'this needs the capability "screens" at the masjid' using errcode = 'MN003';
  end if;
  return null;
end $$;
create trigger screens_check_new after insert on screens for each row execute function check_new_screen();

create function keep_screen() returns trigger language plpgsql as $$
begin
  raise exception 'a screen stays with its masjid and its grant' using errcode = 'MN001';
end $$;
create trigger screens_keep before update on screens for each row
  when ((old.grant_id, old.masjid_id) <> (new.grant_id, new.masjid_id)) execute function keep_screen();

create function ask_for_screen_logo() returns trigger language plpgsql as $$
begin
  perform minaret.ask_for_image(new.settings ->> 'logo');
  return null;
end
$$;
create trigger ask_for_logo after update of settings on screens
  for each row when (new.settings ->> 'logo' is not null) execute function ask_for_screen_logo();
