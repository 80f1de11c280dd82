// Staff read and write the same clock: what they see is what apps get, and a form that is saved as it stands changes nothing.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addDays, dayNumberOf } from '../../../src/base/civil-date.ts'
import { localDateAt, localTimeAt } from '../../../src/base/local-time.ts'
import { sql } from '../../../src/db/sql.ts'
import { makeStaff, visitAs } from '../../staff/use-staff.ts'
import { filledFields } from '../../support/filled-form.ts'
import type { Data } from '../../support/graphql.ts'
import type { Person, Shown } from '../../support/person.ts'
import { instant, usePlaces, zones } from './use-places.ts'

const { minaret, masjidIn, daysOf, ask } = usePlaces()
const database = () => minaret().service.database
const people = new Map<string, Person>()
before(async () => {
  for (const zone of zones) {
    const capabilities = ['times', 'events', 'announcements'] as const
    const user = await makeStaff(database(), { masjid: masjidIn(zone), capabilities })
    people.set(zone, await visitAs(minaret(), user))
  }
})

const HOUR_MS = 3_600_000

/** The changes of offset ahead at which clocks are put back, as the database has them, with how far. */
const putBack = (zone: string): Promise<{ at: Date; by: number }[]> =>
  database().query(sql`
    select at, before - seconds as by
    from (select at, seconds, lag(seconds) over (order by at) as before
      from public.zone_offsets, unnest((clock).since, (clock).seconds) change (at, seconds) where zone = ${zone}) change
    where before > seconds and at between now() and now() + interval '360 days'`)

for (const zone of zones)
  describe(zone, () => {
    const open = async (path: string): Promise<string> => {
      const shown = await (people.get(zone) as Person).get(`/staff/${masjidIn(zone).slug}/${path}`)
      assert.equal(shown.status, 200, path)
      return shown.text
    }
    /** As it stands. */
    const save = async (path: string): Promise<Shown> => {
      const action = `/staff/${masjidIn(zone).slug}/${path}`
      const saved = await (people.get(zone) as Person).post(action, filledFields(await open(path), action))
      assert.equal(saved.status, 303, saved.text)
      return saved
    }

    test('times of the week and of printed months are those of the API, and sunrise that of the database', async () => {
      const days = await daysOf(zone)
      const week = await open('week')
      for (const month of new Set(days.map(day => day.slice(0, 7)))) {
        const sheet = await open(`print/sheet?month=${month}&language=en`)
        const { pc_prayer_times: rows } = await ask(`{ pc_prayer_times(order_by: [{date: asc}], limit: 100
          where: {masjid_id: {_eq: "${masjidIn(zone).id}"}, prayer: {_eq: dhuhr}, date: {_gte: "${month}-01", _lte: "${month}-28"}}) {
            date adhan_local iqamah_local } }`)
        const sunrises = await database().query<{ date: string; clock: string }>(sql`
          select date::text, to_char(local_time(sunrise, ${zone}), 'HH24:MI') as clock from public.pc_calculated_times
          where masjid_id = ${masjidIn(zone).id} and date::text like ${`${month}%`}`)
        const lines = sheet.match(/<tr[\s\S]*?<\/tr>/g) ?? []
        for (const { date, adhan_local, iqamah_local } of rows) {
          const line = lines.find(one => new RegExp(`<th scope="row">\\w+ ${Number(date.slice(8))}<`).test(one)) ?? ''
          const sunrise = sunrises.find(one => one.date === date)?.clock
          const cells = [...line.matchAll(/<td class="(?:iqamah)?">([^<]*)/g)].map(([, cell]) => cell)
          assert.ok(cells.includes(adhan_local.slice(11, 16)) && cells.includes(String(sunrise)), `${date}: ${cells}`)
          assert.equal(iqamah_local.slice(11, 16), '13:30')
        }
        assert.ok(rows.length > 0)
      }
      // Dhuhr of seven days, and Jumu'ah.
      assert.equal(week.match(/<strong>13:30<\/strong>/g)?.length, 8)
    })

    test('events are listed at 10:45 of their day, and saved as they stand they stay', async () => {
      const { id } = masjidIn(zone)
      const today = localDateAt(new Date(), zone)
      const stateOf = (): Promise<Data[]> =>
        database().query(sql`
          select event.starts_local::text as local, event.timezone, json_agg(date.starts_at order by date.starts_at) as dates
          from public.up_events event join public.up_event_occurrences date on date.event_id = event.id
          where event.masjid_id = ${id} group by event.id`)
      for (const day of await daysOf(zone)) {
        const skip = Math.max(0, dayNumberOf(day) - dayNumberOf(today) - 2)
        const list = await open(`events?skip=${skip}`)
        const starts = new Date(instant(day, '10:45', zone)).toISOString()
        const heading = list.lastIndexOf('class="event-day"', list.indexOf(starts))
        assert.match(list, new RegExp(`<time datetime="${starts}">10:45</time>–11:45`), day)
        assert.ok(list.slice(heading, heading + 60).includes(`datetime="${day}"`), day)
      }
      const path = `events/${(await database().first<{ id: string }>(sql`select id from public.up_events where masjid_id = ${id}`))?.id}`
      const form = Object.fromEntries(filledFields(await open(path), `/staff/${masjidIn(zone).slug}/${path}`))
      assert.deepEqual([form.date, form.time], [addDays(today, -1), '10:45'])
      const before = await stateOf()
      await save(path)
      assert.deepEqual(await stateOf(), before)
    })

    test('an announcement is shown by the clock, and saved as it stands it stays, in an hour that occurs twice too', async () => {
      for (const { at, by } of await putBack(zone))
        for (const after of [-by * 500, by * 500, HOUR_MS * 24]) {
          const starts = new Date(at.getTime() + after)
          const ends = new Date(starts.getTime() + 40 * 24 * HOUR_MS)
          const row = await database().first<{ id: string }>(sql`
            insert into public.up_announcements (masjid_id, texts, starts_at, ends_at)
            values (${masjidIn(zone).id}, '{"en": {"title": "Clocks"}}', ${starts}, ${ends}) returning id`)
          const path = `announcements/${row?.id}`
          const shown = localTimeAt(starts, zone).slice(0, 16)
          assert.ok((await open(path)).includes(`value="${shown}"`), shown)
          await save(path)
          const saved = await database().first(
            sql`select starts_at, ends_at from public.up_announcements where id = ${row?.id}`,
          )
          assert.deepEqual(saved, { starts_at: starts, ends_at: ends }, shown)
        }
    })

    test('a day of the list of changes lasts until the next midnight of the masjid', async () => {
      const [change] = await putBack(zone)
      if (change === undefined) return
      const day = localDateAt(change.at, zone)
      const last = new Date(instant(addDays(day, 1), '00:00', zone) - 60_000)
      for (const [at, title] of [
        [last, 'In the last minute'],
        [new Date(last.getTime() + 120_000), 'On the next day'],
      ] as const)
        await database().run(sql`
          insert into public.written_rows (at, masjid_id, table_name, kind, changed_columns, new_values, authority, database_user)
          values (${at}, ${masjidIn(zone).id}, 'up_events', 'insert', '{title}', ${JSON.stringify({ title })}, 'database', 'test')`)
      const list = await open(`changes?from=${day}&to=${day}`)
      assert.deepEqual([list.includes('In the last minute'), list.includes('On the next day')], [true, false])
    })
  })
