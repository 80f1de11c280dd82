-- Up Migration
-- Events, their occurrences, and who comes.

create table up_events (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids,
  title text not null check (title <> '' and length(title) <= 200),
  description text not null default '',
  category up_event_category not null default 'other',
  audience up_event_audience not null default 'everyone',
  mode up_event_mode not null default 'in_person',
  location text check (location <> ''),
  online_url text check (is_web_address(online_url)),
  starts_local timestamp not null,
  duration_minutes integer not null default 60 check (duration_minutes between 1 and 20160),
  timezone text not null check (is_time_zone(timezone)),
  rrule text check (rrule ~ '^[A-Z]+=[A-Za-z0-9,:+-]+(;[A-Z]+=[A-Za-z0-9,:+-]+)*$'
    and rrule ~ '(^|;)FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;|$)'),
  exdates timestamp[] not null default '{}' check (array_position(exdates, null) is null),
  anchor_prayer pc_prayer,
  anchor_offset integer check (anchor_offset between -240 and 240),
  status up_event_status not null default 'scheduled',
  capacity integer check (capacity > 0),
  going_count integer not null default 0 check (going_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint up_events_id_masjid_id_key unique (id, masjid_id),
  constraint up_events_online_url_needed check (mode = 'in_person' or online_url is not null),
  constraint up_events_anchor_check check ((anchor_prayer is null) = (anchor_offset is null)),
  constraint up_events_anchor_daily_check check (anchor_prayer not in ('eid_fitr', 'eid_adha')),
  constraint up_events_exdates_need_rrule check (rrule is not null or exdates = '{}')
);
create index on up_events (masjid_id, starts_local);
create index on up_events (starts_local, id);
create index on up_events (category);
create index on up_events using gin (title gin_trgm_ops) with (fastupdate = off);
select adopt_table('up_events');

comment on table up_events is E'@scope events:read\n@soft_delete deleted_at\nCommunity events as they were announced; each time one takes place is an occurrence.';
comment on column up_events.masjid_id is 'The masjid that holds the event.';
comment on column up_events.title is 'Title.';
comment on column up_events.description is 'What it is about, in plain text.';
comment on column up_events.category is 'Kind of event.';
comment on column up_events.audience is 'Whom it is meant for.';
comment on column up_events.mode is 'In person, online, or both.';
comment on column up_events.location is 'Where in or outside the masjid it takes place.';
comment on column up_events.online_url is 'Where to join online; always given unless the event is in person.';
comment on column up_events.starts_local is 'Local date and time of the first occurrence, in the event''s time zone; with an anchor prayer only its date counts.';
comment on column up_events.duration_minutes is 'How long an occurrence lasts, in minutes.';
comment on column up_events.timezone is 'The time zone in which starts_local, rrule and exdates are meant.';
comment on column up_events.rrule is 'How it recurs: a rule of RFC 5545 such as FREQ=WEEKLY;BYDAY=FR; null: once.';
comment on column up_events.exdates is 'Local starts that are left out of the recurrence.';
comment on column up_events.anchor_prayer is 'The prayer the start follows ("20 minutes after Isha"), instead of the clock.';
comment on column up_events.anchor_offset is 'Minutes after (or, negative, before) the anchor prayer''s iqamah.';
comment on column up_events.status is 'Whether the event takes place.';
comment on column up_events.capacity is 'Places at each occurrence; null: no limit.';
comment on column up_events.going_count is 'Places taken over all of its occurrences.';

create table up_event_occurrences (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null,
  masjid_id uuid not null references up_masjids,
  starts_local timestamp not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status up_event_status not null default 'scheduled',
  capacity integer check (capacity > 0),
  going_count integer not null default 0 check (going_count >= 0),
  waitlisted_count integer not null default 0 check (waitlisted_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint up_event_occurrences_event_id_starts_local_key unique (event_id, starts_local),
  constraint up_event_occurrences_id_masjid_id_key unique (id, masjid_id),
  constraint up_event_occurrences_event_fkey foreign key (event_id, masjid_id)
    references up_events (id, masjid_id) on delete cascade,
  constraint up_event_occurrences_order_check check (ends_at > starts_at)
);
create index on up_event_occurrences (event_id, starts_at);
create index on up_event_occurrences (masjid_id, starts_at);
create index on up_event_occurrences (starts_at, id);
select adopt_table('up_event_occurrences');

comment on table up_event_occurrences is E'@scope events:read\n@soft_delete deleted_at\nEach time an event takes place, a year ahead.';
comment on column up_event_occurrences.event_id is 'The event.';
comment on column up_event_occurrences.masjid_id is 'The masjid that holds it.';
comment on column up_event_occurrences.starts_local is 'The local start that the recurrence rule gives; with event_id it names the occurrence for good, even if it is moved.';
comment on column up_event_occurrences.starts_at is 'When it starts.';
comment on column up_event_occurrences.ends_at is 'When it ends.';
comment on column up_event_occurrences.status is 'Whether this occurrence takes place.';
comment on column up_event_occurrences.capacity is 'Places; null: no limit.';
comment on column up_event_occurrences.going_count is 'Places taken: the party sizes of all who are going or have attended.';
comment on column up_event_occurrences.waitlisted_count is 'People on the waiting list.';
comment on constraint up_event_occurrences_event_fkey on up_event_occurrences is E'@object event\n@array occurrences\nThe event an occurrence belongs to.';
comment on constraint up_event_occurrences_masjid_id_fkey on up_event_occurrences is E'@object masjid\n@array occurrences\nThe masjid that holds the occurrence.';

create table up_event_rsvps (
  id uuid primary key default gen_random_uuid(),
  occurrence_id uuid not null,
  masjid_id uuid not null references up_masjids,
  member_id uuid references ua_members on delete cascade,
  guest_name text check (guest_name <> '' and length(guest_name) <= 200),
  guest_email text check (is_email(guest_email)),
  status up_rsvp_status not null default 'going',
  party_size smallint not null default 1 check (party_size between 1 and 50),
  responded_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint up_event_rsvps_occurrence_id_member_id_key unique (occurrence_id, member_id),
  constraint up_event_rsvps_occurrence_id_guest_email_key unique (occurrence_id, guest_email),
  constraint up_event_rsvps_occurrence_fkey foreign key (occurrence_id, masjid_id)
    references up_event_occurrences (id, masjid_id) on delete cascade,
  constraint up_event_rsvps_person_check check (
    case when member_id is null then guest_name is not null and guest_email is not null
    else guest_name is null and guest_email is null end)
);
create index on up_event_rsvps (occurrence_id, status, responded_at);
create index on up_event_rsvps (masjid_id);
create index on up_event_rsvps (member_id);
select adopt_table('up_event_rsvps');

-- The masjid follows from the occurrence; row-level security needs it in the row itself.
create function fill_rsvp_masjid() returns trigger
language plpgsql set search_path from current as $$
begin
  select masjid_id into new.masjid_id from up_event_occurrences where id = new.occurrence_id;
  return new;
end
$$;
comment on function fill_rsvp_masjid is 'Takes an RSVP''s masjid from its occurrence.';
create trigger fill_masjid before insert or update of occurrence_id on up_event_rsvps
  for each row when (new.masjid_id is null) execute function fill_rsvp_masjid();

comment on table up_event_rsvps is E'@scope events:read members:read\n@personal member_id guest_email\n@soft_delete deleted_at\n@user_rows member_id own_members, masjid_id masjids_in_full\nWho comes to an occurrence: members, or guests by name and e-mail; one answer per person.';
comment on column up_event_rsvps.occurrence_id is 'The occurrence answered.';
comment on column up_event_rsvps.masjid_id is 'The masjid that holds it.';
comment on column up_event_rsvps.member_id is 'The member who answered; null for a guest.';
comment on column up_event_rsvps.guest_name is 'The guest''s name.';
comment on column up_event_rsvps.guest_email is 'The guest''s e-mail address, in small letters.';
comment on column up_event_rsvps.status is 'The answer.';
comment on column up_event_rsvps.party_size is 'How many people come, the one who answers included.';
comment on column up_event_rsvps.responded_at is 'When the answer was given: the order of the waiting list.';
comment on constraint up_event_rsvps_occurrence_fkey on up_event_rsvps is E'@object occurrence\n@array rsvps\nThe occurrence an answer belongs to.';
comment on constraint up_event_rsvps_member_id_fkey on up_event_rsvps is E'@object member\n@array rsvps\nThe member who answered.';
comment on constraint up_event_rsvps_masjid_id_fkey on up_event_rsvps is E'@object masjid\n@array rsvps\nThe masjid that holds the occurrence.';
