// Anybody asks for the calendar of a masjid whose staff have made thousands of dates, in every time zone there is: others are
// answered meanwhile.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeMasjid } from '../../staff/use-staff.ts'
import { useMinaret } from '../../support/minaret.ts'
import { whileAsking } from '../bystander.ts'

const ZONES = 400
const DATES = 12_000

describe('a crowded calendar', () => {
  const minaret = useMinaret()

  const calendarWith = async (events: number, dates: number): Promise<string> => {
    const { database } = minaret().service
    const { id, slug } = await makeMasjid(database)
    await database.run(sql`
      with zone as (select zone as name from public.zone_offsets order by zone limit ${events}),
      event as (
        insert into public.up_events (masjid_id, title, starts_local, timezone)
        select ${id}, 'Event ' || name, now()::timestamp + interval '3 days', name from zone returning id, masjid_id)
      insert into public.up_event_occurrences (event_id, masjid_id, starts_local, starts_at, ends_at, status, edited_by_hand)
      select event.id, masjid_id, moment::timestamp, moment, moment + interval '1 hour', 'scheduled', true
      from event cross join lateral (
        select date_trunc('hour', now()) + interval '2 days' + make_interval(mins => number) as moment from generate_series(1, ${dates}) number) moments`)
    const text = async (): Promise<string> => (await fetch(`${minaret().baseUrl}/m/${slug}/events.ics`)).text()
    return whileAsking(minaret(), text)
  }

  test('in every time zone there is: a few are described, times of others are in UTC', async () => {
    const text = await calendarWith(ZONES, 1)
    assert.ok((text.match(/BEGIN:VTIMEZONE/g) ?? []).length <= 9)
    assert.ok((text.match(/BEGIN:VEVENT/g) ?? []).length >= ZONES)
    assert.match(text, /DTSTART:\d{8}T\d{6}Z/)
  })

  test('of thousands of dates has the next ones', async () => {
    const text = await calendarWith(1, DATES)
    assert.equal((text.match(/BEGIN:VEVENT/g) ?? []).length, 2000)
  })
})
