// What the sandbox shows once times and occurrences are generated from the invented data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })

test('an iqamah is within an hour of its adhan, except where a masjid waits for people who work late', async () => {
  const rows = await minaret().service.database.query<{ prayer: string; minutes: number }>(sql`
    select times.prayer, masjid.city, times.date::text as date,
      (extract(epoch from times.iqamah_at - times.adhan_at) / 60)::int as minutes
    from sandbox.pc_prayer_times times join sandbox.up_masjids masjid on masjid.id = times.masjid_id
    where times.date in (select (current_date + 15 * step) from generate_series(0, 25) step)
      and times.prayer in ('fajr', 'dhuhr', 'asr', 'maghrib', 'isha') and times.label is distinct from 'After work'
      and times.adhan_at is not null`)
  assert.ok(rows.length > 10_000, `${rows.length}`)
  const odd = rows.filter(({ minutes }) => minutes === null || minutes < 0 || minutes > 60)
  assert.deepEqual(odd.slice(0, 5), [])
})

test('every Jumu’ah of the next weeks has a khutbah, and it begins before the prayer', async () => {
  const row = await minaret().service.database.first<{ held: number; silent: number }>(sql`
    select count(*)::int as held,
      count(*) filter (where khutbah_at is null or khutbah_at >= iqamah_at)::int as silent
    from sandbox.pc_prayer_times where prayer = 'jumuah' and date between current_date and current_date + 20`)
  assert.ok((row?.held ?? 0) >= 240, `${row?.held}`)
  assert.equal(row?.silent, 0)
})

test('every future iftar begins at Maghrib of a day in Ramadan', async () => {
  const rows = await minaret().service.database.query<{ minutes: number; is_ramadan: boolean }>(sql`
    select (extract(epoch from day.maghrib - occurrence.starts_at) / 60)::int as minutes, day.is_ramadan
    from sandbox.up_event_occurrences occurrence
    join sandbox.up_events event on event.id = occurrence.event_id and event.category = 'iftar'
    join sandbox.pc_calculated_times day on day.masjid_id = occurrence.masjid_id
      and day.date = occurrence.starts_local::date
    where occurrence.deleted_at is null and occurrence.starts_at > now()`)
  assert.ok(rows.length > 10, `${rows.length}`)
  for (const { minutes, is_ramadan } of rows)
    assert.ok(is_ramadan && Math.abs(minutes) <= 15, `${minutes} ${is_ramadan}`)
})
