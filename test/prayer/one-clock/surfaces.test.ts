// A prayer at 13:30 and an event at 10:45 are at 13:30 and 10:45 wherever they are shown, in zones of which the server and the runtime
// have different rules, around each change that either expects.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import ICAL from 'ical.js'
import { localDateAt } from '../../../src/base/local-time.ts'
import { pairScreen, readState } from '../../screens/pair-screen.ts'
import { makeStaff, visitAs } from '../../staff/use-staff.ts'
import type { Data } from '../../support/graphql.ts'
import { decodeHtml } from '../../support/person.ts'
import { instant, usePlaces, zones } from './use-places.ts'

const { minaret, key, masjidIn, daysOf, ask } = usePlaces()

const eventsOf = async (path: string): Promise<ICAL.Event[]> => {
  const response = await fetch(`${minaret().baseUrl}/v1/masjids/${path}`, {
    headers: { authorization: `Bearer ${key()}` },
  })
  assert.equal(response.status, 200)
  const calendar = new ICAL.Component(ICAL.parse(await response.text()))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return calendar.getAllSubcomponents('vevent').map(component => new ICAL.Event(component))
}

for (const zone of zones)
  describe(zone, () => {
    test('through GraphQL', async () => {
      const { id } = masjidIn(zone)
      const days = await daysOf(zone)
      const data = await ask(`{
        pc_prayer_times(where: {masjid_id: {_eq: "${id}"}, prayer: {_eq: dhuhr}, date: {_in: ${JSON.stringify(days)}}}, order_by: {date: asc}) {
          date iqamah_at iqamah_local }
        up_event_occurrences(where: {masjid_id: {_eq: "${id}"}, starts_local: {_in: ${JSON.stringify(days.map(day => `${day}T10:45:00`))}}}) {
          starts_local starts_at } }`)
      assert.equal(data.pc_prayer_times.length, days.length)
      for (const { date, iqamah_at, iqamah_local } of data.pc_prayer_times)
        assert.deepEqual(
          [iqamah_local, Date.parse(iqamah_at)],
          [`${date}T13:30:00`, instant(date, '13:30', zone)],
          date,
        )
      assert.equal(data.up_event_occurrences.length, days.length)
      for (const { starts_local, starts_at } of data.up_event_occurrences)
        assert.equal(Date.parse(starts_at), instant(starts_local.slice(0, 10), '10:45', zone), starts_local)
    })

    test('in feeds', async () => {
      const { id } = masjidIn(zone)
      for (const day of await daysOf(zone)) {
        const dhuhr = (await eventsOf(`${id}/prayer-times.ics?from=${day}&days=1`)).filter(({ uid }) =>
          uid.includes('-dhuhr-'),
        )
        const circle = await eventsOf(`${id}/events.ics?from=${day}&days=1`)
        for (const [events, clock] of [
          [dhuhr, '13:30'],
          [circle, '10:45'],
        ] as const) {
          assert.deepEqual(
            events.map(({ startDate }) => startDate.toString()),
            [`${day}T${clock}:00`],
          )
          assert.equal(Number(events[0]?.startDate.toUnixTime()) * 1000, instant(day, clock, zone), `${day} ${clock}`)
        }
        assert.match(dhuhr[0]?.description ?? '', /Iqamah 13:30/)
        const table = await fetch(`${minaret().baseUrl}/v1/masjids/${id}/events.csv?from=${day}&days=1`, {
          headers: { authorization: `Bearer ${key()}` },
        })
        assert.match(await table.text(), new RegExp(`${day}T10:45:00`))
      }
    })

    test('on the public page', async () => {
      const today = localDateAt(new Date(), zone)
      const page = decodeHtml(await (await fetch(`${minaret().baseUrl}/m/${masjidIn(zone).slug}`)).text()).replaceAll(
        /[\u202f\u00a0]/g,
        ' ',
      )
      assert.match(page, /1:30 PM/)
      const shown = [...page.matchAll(/<time datetime="([^"]+)">[^<]*?(\d+:45 [AP]M)<\/time>/g)]
      assert.ok(shown.length > 0)
      for (const [, at = '', clock] of shown)
        assert.deepEqual(
          [clock, Date.parse(at)],
          ['10:45 AM', instant(localDateAt(new Date(at), zone), '10:45', zone)],
          today,
        )
    })

    test('on a screen', async () => {
      const masjid = masjidIn(zone)
      const user = await makeStaff(minaret().service.database, { masjid, capabilities: ['screens'] })
      const { access_token } = await pairScreen(minaret(), { masjid, user, person: await visitAs(minaret(), user) })
      const state = (await (await readState(minaret(), access_token)).json()) as Data
      for (const { date, rows, html } of state.days) {
        const dhuhr = rows.find(({ names }: Data) => /Dhuhr/.test(names.join()))
        assert.equal(dhuhr.iqamah, instant(date, '13:30', zone), date)
        assert.match(html, /<td>13:30<\/td>/)
      }
      assert.match(JSON.stringify(state.notices).replaceAll(/[\u202f\u00a0]/g, ' '), /10:45/)
    })
  })
