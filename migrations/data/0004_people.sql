-- Up Migration
-- People. Membership of a masjid reveals religion (GDPR Article 9): nothing here is shared unless the person agreed.

create table ua_households (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids,
  name text not null check (name <> '' and length(name) <= 200),
  address text check (address <> ''),
  city text check (city <> ''),
  state text check (state <> ''),
  postal_code text check (postal_code <> ''),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint ua_households_id_masjid_id_key unique (id, masjid_id)
);
create index on ua_households (masjid_id);
select adopt_table('ua_households');

comment on table ua_households is E'@scope members:read\n@personal\n@soft_delete deleted_at\n@user_rows id own_households, masjid_id masjids_in_full\nHouseholds: members of one masjid who live together.';
comment on column ua_households.masjid_id is 'The masjid the household belongs to.';
comment on column ua_households.name is 'What the household is called.';
comment on column ua_households.address is 'Street and number.';
comment on column ua_households.city is 'City or town.';
comment on column ua_households.state is 'State, province or nation.';
comment on column ua_households.postal_code is 'Postal code.';

create table ua_members (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids,
  household_id uuid,
  user_id uuid,
  role ua_member_role not null default 'member',
  status ua_member_status not null default 'active',
  given_name text not null check (given_name <> '' and length(given_name) <= 100),
  family_name text check (family_name <> '' and length(family_name) <= 100),
  email text check (is_email(email)),
  phone text check (is_phone(phone)),
  joined_on date not null default current_date,
  consent_api_sharing boolean not null default false,
  consent_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint ua_members_masjid_id_email_key unique (masjid_id, email),
  constraint ua_members_masjid_id_user_id_key unique (masjid_id, user_id),
  constraint ua_members_id_masjid_id_key unique (id, masjid_id),
  constraint ua_members_household_fkey foreign key (household_id, masjid_id)
    references ua_households (id, masjid_id) on delete set null (household_id),
  constraint ua_members_consent_at_check check (not consent_api_sharing or consent_at is not null)
);
create index on ua_members (user_id);
create index on ua_members (household_id, masjid_id);
create index on ua_members (masjid_id, role);
create index on ua_members (masjid_id, joined_on);
select adopt_table('ua_members');

comment on table ua_members is E'@scope members:read\n@personal\n@soft_delete deleted_at\n@user_rows id own_members, masjid_id masjids_in_full\nMembers of masjids. Apps that are not the masjid''s own see only those who agreed to sharing.';
comment on column ua_members.masjid_id is 'The masjid the person belongs to.';
comment on column ua_members.household_id is 'The household the person lives in.';
comment on column ua_members.user_id is 'The account by which the person signs in, if there is one.';
comment on column ua_members.role is 'The person''s role at the masjid.';
comment on column ua_members.status is 'Whether the membership is in force.';
comment on column ua_members.given_name is 'Given name.';
comment on column ua_members.family_name is 'Family name.';
comment on column ua_members.email is 'E-mail address, in small letters; unique within the masjid.';
comment on column ua_members.phone is 'Telephone number.';
comment on column ua_members.joined_on is 'The day the person joined.';
comment on column ua_members.consent_api_sharing is 'Whether the person agreed that apps other than the masjid''s own may see this row.';
comment on column ua_members.consent_at is 'When the person agreed.';
comment on constraint ua_members_household_fkey on ua_members is E'@object household\n@array members\nThe household a member lives in.';
