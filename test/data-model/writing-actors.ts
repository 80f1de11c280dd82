// Two masjids with everybody who might write at the first, and one row of every writable table at each.
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { insertRow, type Values } from './use-database.ts'
import { account, grantRights, type Settings } from './writing.ts'

export const uuid = (number: number): string => `32000000-0000-4000-8000-${String(number).padStart(12, '0')}`
export const authority = uuid(60)
export const masjids = { a: uuid(1), b: uuid(2) }
const capabilities = ['times', 'events', 'announcements', 'people', 'giving', 'screens', 'capabilities'] as const
export type Capability = (typeof capabilities)[number]

const named = ['member', 'board', 'admin', 'dismissed', 'disabled', 'service', ...capabilities] as const
export const users = Object.fromEntries(named.map((name, index) => [name, uuid(100 + index)])) as Record<
  (typeof named)[number],
  string
>

const app = uuid(50)
const list = (...ids: string[]): string => `{${ids.join()}}`
const appSettings = (reach: string, own: string): Settings => ({
  app_id: app,
  user_id: '',
  masjids: reach,
  own_masjids: own,
})

export const actors: Readonly<Record<string, Settings>> = {
  nobody: {},
  'an app given no masjid': appSettings('{}', '{}'),
  'an app given all masjids, none its own': appSettings('*', '{}'),
  'the own app of another masjid': appSettings('*', list(masjids.b)),
  'the own app that was not given the masjid': appSettings(list(masjids.b), list(masjids.a)),
  'the own app': appSettings(list(masjids.a), list(masjids.a)),
  'an app given all as its own': appSettings('*', '*'),
  ...Object.fromEntries(
    Object.entries(users).map(([name, id]) => [name, { app_id: app, user_id: id, masjids: '{}', own_masjids: '{}' }]),
  ),
}

export const rows = {
  a: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, uuid(200 + index)])) as Record<number, string>,
  b: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, uuid(300 + index)])) as Record<number, string>,
}

const nowhere = { latitude: 0, longitude: 0, timezone: 'UTC', country: 'US', city: 'x', address: 'x' }

/** The place of each table's row in `rows`. */
export const place = {
  up_events: 1,
  up_event_occurrences: 2,
  up_event_rsvps: 3,
  ua_campaigns: 4,
  ua_donations: 5,
  ua_recurring_donations: 6,
  ua_members: 7,
  ua_households: 8,
  pc_prayer_sources: 9,
  pc_iqamah_schedules: 10,
  pc_hijri_months: 11,
  up_announcements: 12,
} as const

const fillMasjid = async (owner: Database, name: 'a' | 'b'): Promise<void> => {
  const masjid_id = masjids[name]
  const at = rows[name]
  const write = (table: keyof typeof place, values: Values) =>
    insertRow(owner, table, { id: at[place[table]], masjid_id, ...values })
  await insertRow(owner, 'up_masjids', {
    ...nowhere,
    id: masjid_id,
    slug: name,
    name,
    verification: 'verified',
    verified_at: '2026-01-01T00:00:00Z',
  })
  await write('up_events', { title: name, starts_local: '2030-05-01T10:00:00', timezone: 'UTC', capacity: 2 })
  await write('up_event_occurrences', {
    event_id: at[place.up_events],
    starts_local: '2030-05-01T10:00:00',
    starts_at: '2030-05-01T10:00:00Z',
    ends_at: '2030-05-01T11:00:00Z',
    capacity: 2,
  })
  await write('ua_households', { name: 'x' })
  await write('ua_members', { given_name: 'x', email: 'x@example.org' })
  await write('up_event_rsvps', { occurrence_id: at[place.up_event_occurrences], member_id: at[place.ua_members] })
  await write('ua_campaigns', { title: 'x', currency: 'USD' })
  const gift = { member_id: at[place.ua_members], amount_minor: 500, currency: 'USD' }
  await write('ua_recurring_donations', { ...gift, next_on: '2100-01-01' })
  await write('ua_donations', {
    ...gift,
    campaign_id: at[place.ua_campaigns],
    method: 'cash',
    status: 'succeeded',
    received_at: '2026-01-01T00:00:00Z',
  })
  await write('pc_prayer_sources', { kind: 'manual', label: 'x', priority: 1 })
  await write('pc_iqamah_schedules', { prayer: 'fajr', rule: 'offset', offset_minutes: 20 })
  await write('up_announcements', { texts: { en: { title: name } } })
  await write('pc_hijri_months', { hijri_year: 1447, hijri_month: 8, starts_on: '2026-01-20' })
}

export const memberOf = (name: keyof typeof users): string => uuid(400 + named.indexOf(name))

export const fillWritingActors = async (owner: Database): Promise<void> => {
  await insertRow(owner, 'pc_hijri_authorities', { id: authority, name: 'Council' })
  await fillMasjid(owner, 'a')
  await fillMasjid(owner, 'b')
  for (const [name, id] of Object.entries(users)) {
    await account(owner, { id, admin: name === 'service', disabled: name === 'disabled' })
    if (name === 'service') continue
    const role = { board: 'board', admin: 'admin', dismissed: 'admin', disabled: 'admin' }[name] ?? 'member'
    const status = name === 'dismissed' ? 'inactive' : 'active'
    const member = {
      id: memberOf(name as keyof typeof users),
      masjid_id: masjids.a,
      given_name: name,
      user_id: id,
      role,
      status,
    }
    await insertRow(owner, 'ua_members', member)
  }
  for (const capability of capabilities)
    await owner.run(sql`
      insert into ua_capabilities (masjid_id, user_id, capability)
      values (${masjids.a}, ${users[capability]}, ${capability}::ua_capability)`)
  await grantRights(owner)
}
