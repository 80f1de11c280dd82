// An app of a masjid writes dates that PostgreSQL has and no calendar: infinity, before Christ, in years of five digits.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import { identifier, rawSql, sql } from '../../../src/db/sql.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'

const beyond = ['infinity', '-infinity', '10000-01-01', '290000-01-01', '0044-03-15 BC'] as const
const ends = ['0001-01-03', '9999-12-30'] as const

interface Column {
  readonly table: string
  readonly name: string
  readonly others?: Readonly<Record<string, unknown>>
  readonly value?: (date: string) => unknown
}

const asRange = (date: string): string => (date === '-infinity' ? '[-infinity,2026-01-01)' : `[${date},${date}]`)
const once = { title: 'Once', timezone: 'UTC' }
const texts = { en: { title: 'Iftar', body: 'Tonight.' } }
const gift = { amount_minor: 500, currency: 'USD' }

const columns: readonly Column[] = [
  { table: 'up_events', name: 'starts_local', others: once },
  { table: 'up_events', name: 'starts_local', others: { ...once, rrule: 'FREQ=DAILY' } },
  {
    table: 'up_events',
    name: 'exdates',
    others: { ...once, rrule: 'FREQ=DAILY', starts_local: '2026-01-01T10:00' },
    value: date => [date],
  },
  { table: 'up_announcements', name: 'starts_at', others: { texts } },
  { table: 'up_announcements', name: 'ends_at', others: { texts, starts_at: '0001-01-02' } },
  { table: 'ua_campaigns', name: 'starts_on', others: { title: 'Roof', currency: 'USD' } },
  { table: 'ua_campaigns', name: 'ends_on', others: { title: 'Roof', currency: 'USD', starts_on: '0001-01-01' } },
  {
    table: 'ua_donations',
    name: 'received_at',
    others: { ...gift, donor_name: 'Maryam', method: 'cash', status: 'succeeded' },
  },
  { table: 'ua_members', name: 'joined_on', others: { given_name: 'Maryam' } },
  {
    table: 'pc_iqamah_schedules',
    name: 'valid',
    others: { prayer: 'isha', rule: 'offset', offset_minutes: 10 },
    value: asRange,
  },
]

/** Those of whose dates staff see lists. */
const pages = ['', '/events', '/announcements', '/giving', '/giving/campaigns', '/people', '/week', '/changes']

describe('dates beyond the calendar', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  let masjid: Masjid
  let key: string

  before(async () => {
    masjid = await makeMasjid(database())
    const app = await makeApp(database(), { scopes: dataScopes, masjids: { only: '*', own: [masjid.id] } })
    key = (await makeKey(database(), { appId: app.id, scopes: dataScopes })).key
  })

  const write = async ({ table, name, others = {}, value = date => date }: Column, date: string) => {
    const object = { masjid_id: masjid.id, ...others, [name]: value(date) }
    const query = `mutation ($object: ${table}_insert_input!) { written: insert_${table}_one(object: $object) { id } }`
    const response = await fetch(`${minaret().baseUrl}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables: { object } }),
    })
    return (await response.json()) as { data?: object; errors?: [{ extensions: { code: string } }] }
  }

  const openPages = async (): Promise<void> => {
    const capabilities = ['times', 'events', 'announcements', 'people', 'giving'] as const
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities }))
    for (const page of pages) assert.equal((await person.get(`/staff/${masjid.slug}${page}`)).status, 200, page)
    for (const page of ['', '/prayer-times.ics', '/events.ics'])
      assert.equal((await person.get(`/m/${masjid.slug}${page}`)).status, 200, page)
  }

  test('are refused with words, whichever column they are for', async () => {
    for (const column of columns)
      for (const date of beyond) {
        const { errors } = await write(column, date)
        assert.equal(errors?.[0].extensions.code, 'constraint-violation', `${column.table} ${column.name} ${date}`)
      }
  })

  test('at both ends of it are written, and shown on every page', async () => {
    for (const column of columns)
      for (const date of ends)
        assert.deepEqual((await write(column, date)).errors, undefined, `${column.table} ${column.name} ${date}`)
    await openPages()
  })

  test('that were stored before are shown, so that somebody can delete them', async () => {
    const insert = async (table: string, columnsAndValues: string): Promise<void> => {
      const rules = await database().query<{ name: string; definition: string }>(sql`
        select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
        where conrelid = ${`public.${table}`}::regclass and conname like '%_years_check'`)
      await database().transaction(async transaction => {
        for (const { name } of rules)
          await transaction.run(sql`alter table ${identifier('public', table)} drop constraint ${identifier(name)}`)
        await transaction.run(rawSql(`insert into public.${table} (masjid_id, ${columnsAndValues}`))
        for (const { name, definition } of rules)
          await transaction.run(rawSql(`alter table public.${table} add constraint ${name} ${definition}`))
      })
    }
    for (const date of beyond) {
      const start = `values ('${masjid.id}'`
      for (const rule of ['FREQ=DAILY', 'FREQ=WEEKLY', 'FREQ=DAILY;UNTIL=99999999T999999Z'])
        await insert('up_events', `title, starts_local, timezone, rrule) ${start}, 'Old', '${date}', 'UTC', '${rule}')`)
      await insert('up_announcements', `texts, starts_at) ${start}, '${JSON.stringify(texts)}', '${date}')`)
      await insert('ua_campaigns', `title, currency, starts_on) ${start}, 'Old', 'USD', '${date}')`)
      await insert('ua_members', `given_name, joined_on) ${start}, 'Old', '${date}')`)
    }
    await openPages()
    const deleted = await database().run(sql`
      update public.up_events set deleted_at = now() where masjid_id = ${masjid.id} and title = 'Old'`)
    assert.equal(deleted, 3 * beyond.length)
  })
})
