-- Up Migration
-- The directory: legal bodies and masjids.

create table up_entities (
  id uuid primary key default gen_random_uuid(),
  kind up_entity_kind not null default 'nonprofit',
  legal_name text not null check (legal_name <> '' and length(legal_name) <= 200),
  registration_no text check (registration_no <> ''),
  country text not null check (country ~ '^[A-Z]{2}$'),
  parent_id uuid references up_entities,
  website text check (is_web_address(website)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (country, registration_no),
  check (parent_id <> id)
);
create index on up_entities (parent_id);
create index on up_entities (kind);
-- fastupdate off, here and below: with its pending list the planner avoids the index after a bulk load, until a vacuum
create index on up_entities using gin (legal_name gin_trgm_ops) with (fastupdate = off);
select adopt_table('up_entities');

comment on table up_entities is E'@scope masjid:read\n@soft_delete deleted_at\nLegal bodies that stand behind masjids: nonprofits, schools, umbrella organisations, trusts.';
comment on column up_entities.kind is 'What kind of body it is.';
comment on column up_entities.legal_name is 'The name it is registered under.';
comment on column up_entities.registration_no is 'Its number in the register of its country (EIN, charity number).';
comment on column up_entities.country is 'Country of registration, ISO 3166-1 alpha-2.';
comment on column up_entities.parent_id is 'The body it belongs to, if any.';
comment on column up_entities.website is 'Its own website.';
comment on constraint up_entities_parent_id_fkey on up_entities is E'@object parent\n@array children\nThe umbrella an entity belongs to.';

create table up_masjids (
  id uuid primary key default gen_random_uuid(),
  entity_id uuid references up_entities,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  name text not null check (name <> '' and length(name) <= 200),
  name_ar text check (name_ar <> ''),
  address text not null check (address <> ''),
  city text not null check (city <> ''),
  state text check (state <> ''),
  postal_code text check (postal_code <> ''),
  country text not null check (country ~ '^[A-Z]{2}$'),
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  timezone text not null check (is_time_zone(timezone)),
  calculation_method pc_calculation_method not null default 'MuslimWorldLeague',
  madhab pc_madhab not null default 'shafi',
  high_latitude_rule pc_high_latitude_rule,
  adjustments jsonb not null default '{}' check (is_prayer_adjustment(adjustments)),
  hijri_adjustment smallint not null default 0 check (hijri_adjustment between -3 and 3),
  languages text[] not null default '{}' check (is_language_list(languages)),
  facilities up_facility[] not null default '{}' check (array_position(facilities, null) is null),
  capacity integer check (capacity > 0),
  phone text check (is_phone(phone)),
  email text check (is_email(email)),
  website text check (is_web_address(website)),
  verification up_verification not null default 'unverified',
  verified_at timestamptz,
  search_document text generated always as (search_text(name || ' ' || coalesce(name_ar || ' ', '') || city)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint up_masjids_verified_at_check check (verification <> 'verified' or verified_at is not null)
);
create index on up_masjids (entity_id);
create index on up_masjids (country, state, city);
create index on up_masjids (city);
create index on up_masjids (timezone);
create index on up_masjids (name, id);
create index on up_masjids using gin (languages) with (fastupdate = off);
create index on up_masjids using gin (facilities) with (fastupdate = off);
-- two trigram indexes: the plain name for _ilike and _iregex, the unaccented document for up_masjids_search
create index on up_masjids using gin (name gin_trgm_ops) with (fastupdate = off);
create index on up_masjids using gin (search_document gin_trgm_ops) with (fastupdate = off);
select adopt_table('up_masjids');

comment on table up_masjids is E'@scope masjid:read\n@soft_delete deleted_at\nMasjids: where they are, what they offer, and how they calculate prayer times.';
comment on column up_masjids.entity_id is 'The legal body that stands behind the masjid.';
comment on column up_masjids.slug is 'The masjid''s name in addresses: small letters, digits, hyphens; unique.';
comment on column up_masjids.name is 'The masjid''s name.';
comment on column up_masjids.name_ar is 'The name in Arabic script.';
comment on column up_masjids.address is 'Street and number.';
comment on column up_masjids.city is 'City or town.';
comment on column up_masjids.state is 'State, province or nation, as written in addresses of the country.';
comment on column up_masjids.postal_code is 'Postal code.';
comment on column up_masjids.country is 'Country, ISO 3166-1 alpha-2.';
comment on column up_masjids.latitude is 'Degrees north, WGS 84.';
comment on column up_masjids.longitude is 'Degrees east, WGS 84.';
comment on column up_masjids.timezone is 'Time zone, a name of the IANA database.';
comment on column up_masjids.calculation_method is 'The convention by which the masjid''s times are calculated.';
comment on column up_masjids.madhab is 'The school that decides when Asr begins.';
comment on column up_masjids.high_latitude_rule is 'How Fajr and Isha are bounded far north and south; null: as recommended for the latitude.';
comment on column up_masjids.adjustments is 'Minutes added to calculated times, by name of prayer: {"fajr": 2}.';
comment on column up_masjids.hijri_adjustment is 'Days the masjid''s own hijri date is ahead (or behind) of the Umm al-Qura calendar.';
comment on column up_masjids.languages is 'Languages spoken at the masjid, BCP 47 tags.';
comment on column up_masjids.facilities is 'What the masjid offers.';
comment on column up_masjids.capacity is 'How many people can pray there at once.';
comment on column up_masjids.phone is 'Telephone number of the office.';
comment on column up_masjids.email is 'E-mail address of the office.';
comment on column up_masjids.website is 'The masjid''s own website.';
comment on column up_masjids.verification is 'Whether the details have been checked.';
comment on column up_masjids.verified_at is 'When they were last checked.';
comment on column up_masjids.search_document is E'@hidden\nName and city, in small letters without accents, for searching.';
