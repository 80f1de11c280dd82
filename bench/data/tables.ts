// Sizes → the statements that fill the tables. Nothing is random: the rows are the same in every run.

export interface Sizes {
  readonly masjids: number
  readonly eventsPerMasjid: number
  readonly membersPerMasjid: number
  readonly donationsPerMasjid: number
}

/** 5,000 masjids, 50,000 events, 200,000 members, 1,000,000 donations. */
export const fullSizes: Sizes = {
  masjids: 5000,
  eventsPerMasjid: 10,
  membersPerMasjid: 40,
  donationsPerMasjid: 200,
}

/** Each city has this many masjids at any size, so a page of a city reads the same rows in small and large tables. */
export const MASJIDS_PER_CITY = 25

export const cityCount = ({ masjids }: Sizes): number => Math.max(1, Math.floor(masjids / MASJIDS_PER_CITY))
export const cityName = (number: number): string => `Madinat ${number}`

/** Ids are hashes of a row's number, so they are scattered like random ones. */
const masjids = (sizes: Sizes): string => `
insert into up_masjids (id, slug, name, address, city, state, postal_code, country, latitude, longitude, timezone,
  calculation_method, madhab, languages, facilities, capacity, phone, email, website, verification, verified_at)
select md5('masjid' || n)::uuid, 'masjid-' || n, (array['Masjid al-Noor', 'Masjid Bilal', 'Islamic Centre', 'Jamia Masjid',
    'Masjid at-Taqwa', 'Masjid al-Falah', 'Masjid as-Salam'])[1 + n % 7] || ' ' || n,
  (n % 900 + 1) || ' Main Street', 'Madinat ' || n % ${cityCount(sizes)}, 'State ' || n % ${cityCount(sizes)} % 50,
  lpad((n % 99999)::text, 5, '0'), 'US', 25 + n * 37 % 2300 / 100.0, -120 + n * 53 % 4500 / 100.0,
  (array['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'])[1 + n % 4],
  (array['NorthAmerica', 'MuslimWorldLeague', 'Karachi']::pc_calculation_method[])[1 + n % 3],
  (array['shafi', 'hanafi']::pc_madhab[])[1 + n % 2], array['en', 'ar'],
  array['wudu', 'parking', 'women_space']::up_facility[], 100 + n % 1900, '+1 555 ' || lpad((n % 10000)::text, 4, '0'),
  'office@masjid-' || n || '.example', 'https://masjid-' || n || '.example', 'verified', timestamptz '2026-01-01'
from generate_series(1, ${sizes.masjids}) n`

const events = (sizes: Sizes): string => `
insert into up_events (id, masjid_id, title, description, category, audience, starts_local, duration_minutes, timezone, capacity)
select md5('event' || n || '.' || e)::uuid, md5('masjid' || n)::uuid,
  (array['Tafsir', 'Family night', 'Youth halaqah', 'Quran class', 'Community iftar'])[1 + (n + e) % 5] || ' ' || e,
  'Everyone is welcome; please come a little early.',
  (array['lecture', 'family', 'youth', 'quran', 'iftar']::up_event_category[])[1 + (n + e) % 5], 'everyone',
  timestamp '2026-01-05 18:00' + make_interval(days => (n * 7 + e * 31) % 365, mins => e * 15), 60 + e * 5,
  (array['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'])[1 + n % 4], 50 + e * 10
from generate_series(1, ${sizes.masjids}) n, generate_series(1, ${sizes.eventsPerMasjid}) e`

/** Every other member agreed to sharing, so an app's key sees half of them. */
const members = (sizes: Sizes): string => `
insert into ua_members (id, masjid_id, role, status, given_name, family_name, email, joined_on, consent_api_sharing, consent_at)
select md5('member' || n || '.' || m)::uuid, md5('masjid' || n)::uuid,
  (case m when 1 then 'admin' when 2 then 'imam' else 'member' end)::ua_member_role, 'active',
  (array['Amina', 'Yusuf', 'Maryam', 'Ibrahim', 'Khadija', 'Omar'])[1 + (n + m) % 6],
  (array['Rahman', 'Siddiqui', 'Hassan', 'Abdi', 'Demir'])[1 + (n * 3 + m) % 5], 'm' || m || '@masjid-' || n || '.example',
  date '2015-01-01' + (n * 11 + m * 97) % 3650, m % 2 = 0, case when m % 2 = 0 then timestamptz '2025-01-01' end
from generate_series(1, ${sizes.masjids}) n, generate_series(1, ${sizes.membersPerMasjid}) m`

const donations = (sizes: Sizes): string => `
insert into ua_donations (id, masjid_id, member_id, amount_minor, currency, fee_minor, fund, method, status, received_at)
select md5('gift' || n || '.' || g)::uuid, md5('masjid' || n)::uuid,
  case when g % 4 > 0 then md5('member' || n || '.' || 1 + g % ${sizes.membersPerMasjid})::uuid end,
  500 + (n * 13 + g * 97) % 50000, 'USD', 30, (enum_range(null::ua_fund))[1 + (n + g) % 7],
  (enum_range(null::ua_payment_method))[1 + (n + g) % 6], 'succeeded',
  timestamptz '2025-01-01' + make_interval(hours => (n * 5 + g * 43) % 8760)
from generate_series(1, ${sizes.masjids}) n, generate_series(1, ${sizes.donationsPerMasjid}) g`

/** The same members in a table without row-level security: the difference is the cost of the policy. */
const openMembers = `
create table ua_open_members (like ua_members including all);
insert into ua_open_members select * from ua_members;
comment on table ua_open_members is E'@scope members:read\\n@soft_delete deleted_at\\nThe members, without row-level security.';
grant select on ua_open_members to minaret_reader`

export interface Step {
  readonly title: string
  readonly statement: string
}

export const tableSteps = (sizes: Sizes): readonly Step[] => [
  { title: `${sizes.masjids} masjids`, statement: masjids(sizes) },
  { title: `${sizes.masjids * sizes.eventsPerMasjid} events`, statement: events(sizes) },
  { title: `${sizes.masjids * sizes.membersPerMasjid} members`, statement: members(sizes) },
  { title: `${sizes.masjids * sizes.donationsPerMasjid} donations`, statement: donations(sizes) },
  { title: 'members without row-level security', statement: openMembers },
]
