// A screen's grant → the screen, its masjid, and everything it shows for the coming weeks.
import type { Database, Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { type OtherTime, otherTimes, type ScreenSettings, withUsual } from './settings.ts'

export interface KnownScreen {
  readonly id: string
  readonly settings: Partial<ScreenSettings>
  /** Whether we have its logo. */
  readonly hasLogo: boolean
  readonly masjidId: string
  readonly name: string
  readonly nameArabic: string | null
  readonly timezone: string
  /** When the server that it was read from started, in seconds since 1970. */
  readonly server: string
}

/** Undefined once the grant has ended, or its masjid is gone. */
export const findKnownScreen = (database: Queryable, grantId: string): Promise<KnownScreen | undefined> =>
  database.first<KnownScreen>(sql`
    select screen.id, screen.settings, exists (
        select from minaret.images
        where address_hash = sha256(convert_to(screen.settings ->> 'logo', 'UTF8')) and state = 'fetched') as "hasLogo",
      masjid.id as "masjidId", masjid.name, masjid.name_ar as "nameArabic", masjid.timezone,
      extract(epoch from pg_postmaster_start_time())::text as server
    from minaret.screens as screen join minaret.grants on grants.id = screen.grant_id
      join public.up_masjids as masjid on masjid.id = screen.masjid_id and masjid.deleted_at is null
    where screen.grant_id::text = ${grantId} and grants.revoked_at is null`)

/** 30 days without a connection, and some to spare; and yesterday, whose Isha may come after midnight. */
const DAYS_AHEAD = 35

export interface ScreenTime {
  readonly date: string
  readonly prayer: string
  readonly session: number
  readonly label: string | null
  readonly adhan_at: Date | null
  readonly iqamah_at: Date | null
  readonly adhan_local: string | null
  readonly iqamah_local: string | null
  readonly khutbah_local: string | null
  readonly imam: string | null
  readonly language: string | null
  readonly hijri_year: number
  readonly hijri_month: number
  readonly hijri_day: number
}

const localText = (column: 'adhan_local' | 'iqamah_local' | 'khutbah_local') =>
  sql`to_char(${identifier(column)}, 'YYYY-MM-DD"T"HH24:MI:SS') as ${identifier(column)}`

const readScreenTimes = (database: Queryable, { masjidId, timezone }: KnownScreen): Promise<ScreenTime[]> =>
  database.query<ScreenTime>(sql`
    select date, prayer, session, label, adhan_at, iqamah_at, ${localText('adhan_local')}, ${localText('iqamah_local')},
      ${localText('khutbah_local')}, imam, language, hijri_year, hijri_month, hijri_day
    from public.pc_prayer_times
    where masjid_id = ${masjidId} and date >= public.local_time(now(), ${timezone})::date - 1
      and date < public.local_time(now(), ${timezone})::date + ${DAYS_AHEAD}::int
    order by date, coalesce(iqamah_at, adhan_at), prayer, session`)

/** Sunrise, and what the screen shows besides. */
export interface SunTime {
  readonly date: string
  readonly name: 'sunrise' | OtherTime
  readonly at: Date
  readonly local: string
}

const readSunTimes = (database: Queryable, { masjidId, timezone, settings }: KnownScreen): Promise<SunTime[]> => {
  const chosen = ['sunrise', ...otherTimes[withUsual(settings).other_times]]
  return database.query<SunTime>(sql`
    select date, shown.name, shown.at, to_char(public.local_time(shown.at, ${timezone}), 'YYYY-MM-DD"T"HH24:MI:SS') as local
    from public.pc_calculated_times day cross join lateral (values ('sunrise', sunrise),
      ('imsak', public.pc_calculated_times_imsak(day)), ('midnight', midnight), ('last_third', last_third)) shown(name, at)
    where masjid_id = ${masjidId} and shown.at is not null
      and shown.name = any (${chosen}::text[]) and date >= public.local_time(now(), ${timezone})::date - 1
      and date < public.local_time(now(), ${timezone})::date + ${DAYS_AHEAD}::int
    order by date, shown.at`)
}

export interface ScreenAnnouncement {
  readonly kind: string
  readonly texts: Readonly<Record<string, { readonly title: string; readonly body?: string }>>
  readonly urgent: boolean
  readonly ends_at: Date | null
  readonly janazah_on: string | null
  readonly janazah_after: string | null
  /** `14:30:00` */
  readonly janazah_time: string | null
  readonly janazah_place: string | null
  readonly burial_place: string | null
}

const MOST_NOTICES = 20

/** Only what everybody may read: an announcement that has not started is still its masjid's secret. */
const readScreenAnnouncements = (database: Queryable, { masjidId }: KnownScreen): Promise<ScreenAnnouncement[]> =>
  database.query<ScreenAnnouncement>(sql`
    select kind, texts, urgent, ends_at, janazah_on, janazah_after, janazah_time::text as janazah_time, janazah_place,
      burial_place
    from public.up_announcements
    where masjid_id = ${masjidId} and deleted_at is null and 'screen' = any (shown_on) and starts_at <= now()
      and (ends_at is null or ends_at > now())
    order by urgent desc, kind = 'janazah' desc, starts_at desc, id limit ${MOST_NOTICES}`)

export interface ScreenEvent {
  readonly title: string
  readonly location: string | null
  readonly starts_at: Date
  readonly starts_local: string
}

const readScreenEvents = (database: Queryable, { masjidId, timezone }: KnownScreen): Promise<ScreenEvent[]> =>
  database.query<ScreenEvent>(sql`
    select event.title, event.location, occurrence.starts_at,
      to_char(public.local_time(occurrence.starts_at, ${timezone}), 'YYYY-MM-DD"T"HH24:MI:SS') as starts_local
    from public.up_event_occurrences occurrence
      join public.up_events event on event.id = occurrence.event_id and event.deleted_at is null
    where occurrence.masjid_id = ${masjidId} and occurrence.deleted_at is null and occurrence.status = 'scheduled'
      and occurrence.starts_at > now() and occurrence.starts_at < now() + interval '35 days'
    order by occurrence.starts_at, occurrence.id limit ${MOST_NOTICES}`)

export interface ScreenContent {
  readonly screen: KnownScreen
  readonly times: readonly ScreenTime[]
  readonly sunTimes: readonly SunTime[]
  readonly announcements: readonly ScreenAnnouncement[]
  readonly events: readonly ScreenEvent[]
}

/** What is read for it, besides the screen itself. */
export const screenRelations: readonly string[] = [
  'up_masjids',
  'pc_prayer_times',
  'pc_calculated_times',
  'up_announcements',
  'up_event_occurrences',
  'up_events',
  'zone_offsets',
]

/** All of one moment: a change that is committed meanwhile is in it as a whole, or not at all. */
export const readScreenContent = (database: Database, grantId: string): Promise<ScreenContent | undefined> =>
  database.transaction(async snapshot => {
    await snapshot.run(sql`set transaction isolation level repeatable read, read only`)
    const screen = await findKnownScreen(snapshot, grantId)
    if (screen === undefined) return undefined
    return {
      screen,
      times: await readScreenTimes(snapshot, screen),
      sunTimes: await readSunTimes(snapshot, screen),
      announcements: await readScreenAnnouncements(snapshot, screen),
      events: await readScreenEvents(snapshot, screen),
    }
  })
