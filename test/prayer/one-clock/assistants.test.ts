// What assistants are told is at 13:30 and at 10:45 too, in words and as moments, and a day named by them is the day of the masjid.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addDays } from '../../../src/base/civil-date.ts'
import { localDateAt, localTimeAt } from '../../../src/base/local-time.ts'
import { dayInWords } from '../../../src/mcp/words.ts'
import { call, callFor, textOf, tokensFor } from '../../mcp/use-mcp.ts'
import { makeStaff } from '../../staff/use-staff.ts'
import type { Data } from '../../support/graphql.ts'
import { instant, usePlaces, zones } from './use-places.ts'

const { minaret, masjidIn, daysOf, ask } = usePlaces()
const tokens = new Map<string, string>()
before(async () => {
  for (const zone of zones) {
    const user = await makeStaff(minaret().service.database, { masjid: masjidIn(zone), capabilities: ['events'] })
    tokens.set(zone, (await tokensFor(minaret(), user)).access_token)
  }
})

for (const zone of zones)
  describe(zone, () => {
    const tool = (name: string, wishes: Readonly<Record<string, unknown>> = {}): Promise<Data> =>
      call(minaret().baseUrl, name, { masjid: masjidIn(zone).slug, ...wishes }, tokens.get(zone))

    test('times of a day are those of the API', async () => {
      for (const date of await daysOf(zone)) {
        const { days, timezone } = await tool('get_prayer_times', { date })
        const { pc_prayer_times: rows } = await ask(`{ pc_prayer_times(order_by: [{prayer: asc}, {session: asc}]
          where: {masjid_id: {_eq: "${masjidIn(zone).id}"}, date: {_eq: "${date}"}}) { prayer adhan_at adhan_local iqamah_local } }`)
        assert.equal(timezone, zone)
        const [{ times }] = days
        assert.deepEqual(
          times.map((time: Data) => [time.prayer, time.adhan, time.iqamah]),
          rows.map((row: Data) => [row.prayer, row.adhan_local?.slice(11, 16), row.iqamah_local?.slice(11, 16)]),
        )
        for (const { adhan_at, adhan_local } of rows)
          if (adhan_at !== null) assert.equal(adhan_local, localTimeAt(new Date(adhan_at), zone), date)
        const dhuhr = times.find(({ prayer }: Data) => /dhuhr|jumuah/.test(prayer))
        assert.deepEqual([dhuhr.iqamah, Date.parse(dhuhr.iqamah_at)], ['13:30', instant(date, '13:30', zone)], date)
      }
    })

    test('today, the next prayer and the coming Friday', async () => {
      const today = localDateAt(new Date(), zone)
      const { days } = await tool('get_prayer_times')
      assert.ok([today, localDateAt(new Date(), zone)].includes(days[0].date))
      const [next] = (await tool('get_next_prayer')).next
      const local = localTimeAt(new Date(next.prayer.iqamah_at ?? next.prayer.adhan_at), zone)
      assert.ok(next.in_words.includes(`${local.slice(11, 16)} on ${dayInWords(local.slice(0, 10))} (${zone})`))
      const { date, sessions } = await tool('get_jumuah')
      assert.deepEqual([sessions[0].iqamah, Date.parse(sessions[0].iqamah_at)], ['13:30', instant(date, '13:30', zone)])
    })

    test('events of a day are those that begin on it at the masjid', async () => {
      for (const day of await daysOf(zone)) {
        const wishes = { masjid: masjidIn(zone).slug, from: day, until: day }
        const told = await callFor(minaret().baseUrl, 'list_events', wishes, tokens.get(zone))
        const { events } = told.structuredContent
        const words = `10:45 on ${dayInWords(day)} (${zone})`
        assert.deepEqual(
          events.map(({ starts, starts_at }: Data) => [starts, Date.parse(starts_at)]),
          [[words, instant(day, '10:45', zone)]],
        )
        assert.ok(textOf(told).includes(words))
      }
    })

    test('an event that an assistant creates begins at the time it was given', async () => {
      for (const [index, day] of (await daysOf(zone)).slice(1, 4).entries()) {
        const starts = `${addDays(day, 1)}T09:${10 + index}`
        const title = `Created for ${starts}`
        const { handle } = await tool('create_event', { title, starts })
        await tool('create_event', { title, starts, handle })
        const { up_events: rows } = await ask(
          `{ up_events(where: {title: {_eq: "${title}"}}) { starts_local timezone } }`,
        )
        assert.deepEqual(rows, [{ starts_local: `${starts}:00`, timezone: zone }])
      }
    })
  })
