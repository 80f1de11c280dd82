// A masjid with rules and a person who looks after its times: changes by the functions that the API calls, days counted from today there.
import { after, before } from 'node:test'
import type { Database } from '../../../src/db/database.ts'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { writeAs } from '../../data-model/writing.ts'
import { daysAfter } from '../../support/dates.ts'
import { insertRule, type TestRule } from '../../support/iqamah.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { type Masjid, makeMasjid, makeStaff } from '../use-staff.ts'

interface TestChange {
  readonly prayer: string
  /** Days from today. */
  readonly first_on: number
  readonly last_on?: number
  readonly session?: number
  readonly rule?: 'fixed' | 'offset' | 'rounded_offset'
  readonly fixed_time?: string
  readonly offset_minutes?: number
  readonly imam?: string
  readonly language?: string
  readonly khutbah_minutes?: number
  readonly replaces_all?: boolean
  readonly expected_rules?: string | undefined
  readonly publish_at?: string
  readonly replace_timetables?: boolean
  readonly expected_timetables?: string
}

export interface StoredRule {
  readonly id: string
  readonly season: string
  readonly weekdays: number[] | null
  readonly valid: string
  readonly priority: number
  readonly fixed_time: string | null
  readonly imam: string | null
  readonly language: string | null
}

const zone = 'America/New_York'

/** A day at the masjids of these tests, counted from today on the calendar: not every day has 24 hours. */
const dayAt = (days: number): string =>
  daysAfter(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date()), days)

const changeCall = (masjid: string, change: TestChange): Sql => sql`
  select id from pc_change_iqamah(masjid_id => ${masjid}, prayer => ${change.prayer}, first_on => ${dayAt(change.first_on)},
    last_on => ${change.last_on === undefined ? null : dayAt(change.last_on)}, session => ${change.session ?? 1},
    rule => ${change.rule ?? null}, fixed_time => ${change.fixed_time ?? null},
    offset_minutes => ${change.offset_minutes ?? null}, imam => ${change.imam ?? null},
    language => ${change.language ?? null}, khutbah_minutes => ${change.khutbah_minutes ?? null},
    replaces_all => ${change.replaces_all ?? false}, publish_at => ${change.publish_at ?? null},
    expected_rules => ${change.expected_rules ?? null}::jsonb, replace_timetables => ${change.replace_timetables ?? null},
    expected_timetables => ${change.expected_timetables ?? null}::jsonb)`

interface TestDays {
  readonly prayer?: string
  /** Days from today. */
  readonly from: number
  readonly days: number
  readonly iqamah?: string
  /** A day that is left out. */
  readonly without?: number
}

const publishCall = (masjid: string, { prayer = 'isha', from, days, iqamah = '21:00', without }: TestDays): Sql => sql`
  select id from pc_publish_timetable(${masjid}, 'A year', ${JSON.stringify(
    Array.from({ length: days }, (_, index) => from + index)
      .filter(day => day !== without)
      .map(day => ({ date: dayAt(day), prayer, iqamah })),
  )}::jsonb)`

export interface TimesOfMasjid {
  readonly masjid: Masjid
  readonly database: Database
  readonly userId: string
  change(change: TestChange): Promise<string>
  undo(id: string): Promise<void>
  /** Publishes a fixed iqamah for these days; returns the timetable's id. */
  publish(days: TestDays): Promise<string>
  cancel(id: string): Promise<void>
  /** The local iqamah of each day. */
  iqamah(prayer: string, from: number, days: number): Promise<(string | null)[]>
  rules(prayer: string): Promise<StoredRule[]>
}

const rulesOf = (database: Database, masjid: string, prayer: string): Promise<StoredRule[]> =>
  database.query<StoredRule>(sql`
    select id, season, weekdays, valid::text, priority, fixed_time::text, imam, language from pc_iqamah_schedules
    where masjid_id = ${masjid} and prayer = ${prayer} and deleted_at is null order by id`)

const iqamahOf = async (database: Database, masjid: string, at: { prayer: string; from: number; days: number }) => {
  const rows = await database.query<{ clock: string | null }>(sql`
    select to_char(iqamah_local, 'HH24:MI') as clock from pc_prayer_times
    where masjid_id = ${masjid} and prayer = ${at.prayer} and date between ${dayAt(at.from)} and ${dayAt(at.from + at.days - 1)}
    order by date`)
  return rows.map(({ clock }) => clock)
}

/** For the top of a test file: `const times = useTimes()`, then `await times(...rules)` inside tests. */
export const useTimes = () => {
  let running: TestMinaret | undefined
  before(async () => {
    running = await startTestMinaret()
  })
  after(async () => running?.stop())
  const make = async (...rules: readonly TestRule[]): Promise<TimesOfMasjid> => {
    if (running === undefined) throw new Error('Minaret is not running yet.')
    const { database } = running.service
    const masjid = await makeMasjid(database, { timezone: zone })
    await fillDays(database, { from: dayAt(-2), days: 20 })
    for (const rule of rules) await insertRule(database, masjid.id, rule)
    const { id: userId } = await makeStaff(database, { masjid, capabilities: ['times'] })
    const as = (statement: Sql) => writeAs<{ id: string }>(database, { user_id: userId }, statement)
    return {
      masjid,
      database,
      userId,
      change: async change => (await as(changeCall(masjid.id, change)))[0]?.id ?? '',
      undo: async id => void (await as(sql`select id from pc_undo_iqamah_change(${id})`)),
      publish: async days => (await as(publishCall(masjid.id, days)))[0]?.id ?? '',
      cancel: async id => void (await as(sql`select id from pc_cancel_iqamah_change(${id})`)),
      iqamah: (prayer, from, days) => iqamahOf(database, masjid.id, { prayer, from, days }),
      rules: prayer => rulesOf(database, masjid.id, prayer),
    }
  }
  return Object.assign(make, { day: dayAt })
}
