-- Up Migration
-- What a masjid tells its people: in several languages, for a time, on the hall's screen, on the web and in apps.
-- They come with the scopes of the masjid itself, as its address does: whoever may show a masjid may show what it says.

create type up_announcement_kind as enum ('general', 'janazah', 'prayer_change', 'closure', 'appeal', 'volunteers', 'lost_and_found');
comment on type up_announcement_kind is 'What an announcement is about.';
create type up_announcement_place as enum ('screen', 'page', 'apps');
comment on type up_announcement_place is 'Where an announcement is shown: on the screens in the masjid, on web pages, in apps.';

create function is_announcement_text(texts jsonb) returns boolean
language sql immutable parallel safe
begin atomic;
  select jsonb_typeof(texts) = 'object' and (
    select count(*) between 1 and 20 and bool_and(coalesce(
      each.key ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and jsonb_typeof(each.value) = 'object'
      and each.value - '{title,body}'::text[] = '{}'
      and jsonb_typeof(each.value -> 'title') = 'string' and length(each.value ->> 'title') between 1 and 200
      and each.value ->> 'title' ~ '[^[:space:]]' and each.value ->> 'title' !~ '[[:cntrl:]]'
      and coalesce(jsonb_typeof(each.value -> 'body') = 'string' and length(each.value ->> 'body') <= 5000, not each.value ? 'body'),
      false))
    from jsonb_each(case when jsonb_typeof(texts) = 'object' then texts else '{}' end) each);
end;
comment on function is_announcement_text is 'Whether a JSON object has a title, and perhaps a body, by language.';

create table up_announcements (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids,
  kind up_announcement_kind not null default 'general',
  texts jsonb not null,
  urgent boolean not null default false,
  shown_on up_announcement_place[] not null default '{screen,page,apps}',
  starts_at timestamptz not null default now(),
  ends_at timestamptz,
  deceased_name text,
  janazah_on date,
  janazah_after pc_prayer,
  janazah_time time,
  janazah_place text,
  burial_place text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint up_announcements_texts_check check (is_announcement_text(texts)),
  constraint up_announcements_shown_on_check check (cardinality(shown_on) between 1 and 3 and array_position(shown_on, null) is null),
  constraint up_announcements_period_check check (ends_at > starts_at),
  constraint up_announcements_deceased_name_check check (deceased_name ~ '[^[:space:]]' and length(deceased_name) <= 200 and deceased_name !~ '[[:cntrl:]]'),
  constraint up_announcements_janazah_place_check check (janazah_place <> '' and length(janazah_place) <= 300),
  constraint up_announcements_burial_place_check check (burial_place <> '' and length(burial_place) <= 300),
  constraint up_announcements_janazah_check check (
    case when kind = 'janazah' then num_nulls(deceased_name, janazah_on) = 0 and num_nonnulls(janazah_after, janazah_time) = 1
    else num_nonnulls(deceased_name, janazah_on, janazah_after, janazah_time, janazah_place, burial_place) = 0 end)
);
create index on up_announcements (masjid_id, starts_at);
select adopt_table('up_announcements');

comment on table up_announcements is E'@scope masjid:read\n@soft_delete deleted_at\nWhat a masjid announces. Before starts_at only those who look after the masjid''s announcements see one. Show those where starts_at has passed, ends_at has not (or is null), and shown_on names the place where you show them.';
comment on column up_announcements.masjid_id is 'The masjid.';
comment on column up_announcements.kind is 'What it is about.';
comment on column up_announcements.texts is 'Title and body (plain text) by language, as BCP 47 tags: {"en": {"title": "…", "body": "…"}, "ar": {"title": "…"}}.';
comment on column up_announcements.urgent is 'Whether it should stand out, and come before others.';
comment on column up_announcements.shown_on is 'Where it is shown.';
comment on column up_announcements.starts_at is 'From when on it is shown.';
comment on column up_announcements.ends_at is 'Until when it is shown; null: until somebody ends it.';
comment on column up_announcements.deceased_name is 'Of a janazah: the name of the deceased.';
comment on column up_announcements.janazah_on is 'Of a janazah: the day of the prayer, by the masjid''s calendar.';
comment on column up_announcements.janazah_after is 'Of a janazah: the prayer it follows; null: it has a time of its own.';
comment on column up_announcements.janazah_time is 'Of a janazah: its time by the masjid''s clock; null: it follows a prayer.';
comment on column up_announcements.janazah_place is 'Of a janazah: where the prayer is held; null: at the masjid.';
comment on column up_announcements.burial_place is 'Of a janazah: where the burial is.';
comment on constraint up_announcements_masjid_id_fkey on up_announcements is E'@object masjid\n@array announcements\nAn announcement belongs to a masjid of the directory.';
comment on constraint up_announcements_pkey on up_announcements is 'Each announcement has an id of its own.';
comment on constraint up_announcements_texts_check on up_announcements is 'An announcement has 1 to 20 texts by language, each with a title of 1 to 200 characters on one line and perhaps a body of at most 5000.';
comment on constraint up_announcements_shown_on_check on up_announcements is 'An announcement is shown somewhere: screen, page or apps.';
comment on constraint up_announcements_period_check on up_announcements is 'An announcement ends after it starts.';
comment on constraint up_announcements_deceased_name_check on up_announcements is 'A name has 1 to 200 characters on one line.';
comment on constraint up_announcements_janazah_place_check on up_announcements is 'A place has 1 to 300 characters; leave it out if it is the masjid.';
comment on constraint up_announcements_burial_place_check on up_announcements is 'A place has 1 to 300 characters; leave it out if it is not known.';
comment on constraint up_announcements_janazah_check on up_announcements is 'A janazah has a name, a day, and either a time or the prayer it follows; other announcements have none of these.';

select add_version('up_announcements');

create function announcements_masjids() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when sees_masjids_in_full() then look_up_masjids_for('announcements') else '{}'::uuid[] end;
end;
comment on function announcements_masjids is 'Masjids whose announcements may be seen before they start.';
create policy reading on up_announcements for select using (
  starts_at <= now()
  or masjid_id = any ((select announcements_masjids())::uuid[])
  or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff');
select open_to_writing('up_announcements', 'announcements', '{insert,update,delete}');

-- For those who keep a copy it changes once more when it starts: before, they cannot read it.
create index up_announcements_changes_idx on up_announcements (greatest(updated_at, starts_at), id);
create trigger note_deletion after delete on up_announcements for each row execute function note_deletion();
create or replace view up_changes as
select 'up_entities' as table_name, id, null::uuid as masjid_id, updated_at as changed_at, deleted_at is not null as is_deleted
from up_entities
union all
select 'up_masjids', id, id, updated_at, deleted_at is not null from up_masjids
union all
select 'up_events', id, masjid_id, updated_at, deleted_at is not null from up_events
union all
select 'up_event_occurrences', id, masjid_id, updated_at, deleted_at is not null from up_event_occurrences
union all
select 'up_announcements', id, masjid_id, greatest(updated_at, starts_at), deleted_at is not null
from up_announcements where starts_at <= now()
union all
select table_name, id, masjid_id, deleted_at, true from deleted_rows where table_name like 'up\_%';
comment on view up_changes is E'@scope masjid:read events:read\n@key table_name, id\nWhat changed in the directory, the events and the announcements, deletions included. Ask with where: {changed_at: {_gt: …}} and order_by: [{changed_at: asc}, {id: asc}]; start a minute before the last change seen, since a long transaction shows its changes late.';

select pin_search_paths();
select watch_writes('up_announcements'), show_history('up_announcements');
