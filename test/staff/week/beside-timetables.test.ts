// A change of a prayer beside published timetables: where it ends, what it replaces and with whose consent, also at the same moment.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { writeAs } from '../../data-model/writing.ts'
import { inThisDatabase } from '../../support/locks.ts'
import { type TimesOfMasjid, useTimes } from './use-times.ts'

const rule = { prayer: 'isha', rule: 'fixed', fixed_time: '20:00' } as const
const isha = { prayer: 'isha', rule: 'fixed', fixed_time: '20:30' } as const
const beside = { ...isha, replace_timetables: false } as const
const instead = { ...isha, replace_timetables: true } as const
const later = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

interface Stored {
  readonly status: string
  readonly reason: string | null
  readonly ends_on: string | null
  readonly replaced_days: number | null
  readonly replaced_timetables: Record<string, number> | null
}

const stored = async ({ database }: TimesOfMasjid, id: string): Promise<Stored | undefined> =>
  database.first<Stored>(sql`
    select status, reason, ends_on, replaced_days, replaced_timetables from pc_iqamah_changes where id = ${id}`)

/** As if its time had come, and the job had looked. */
const arrive = async (here: TimesOfMasjid, id: string): Promise<Stored | undefined> => {
  await here.database.run(sql`update pc_iqamah_changes set publish_at = now() where id = ${id}`)
  for (;;) {
    const row = await stored(here, id)
    if (row?.status !== 'planned') return row
    await here.database.run(sql`select pg_notify('minaret_planned_changes', '')`)
    await delay(50)
  }
}

describe('a change beside published timetables', () => {
  const times = useTimes()

  test('ends where one begins, and what was there before comes back after it', async () => {
    const here = await times(rule)
    await here.publish({ from: 3, days: 2 })
    const before = await here.rules('isha')
    const id = await here.change({ ...beside, first_on: 1 })
    assert.deepEqual(await here.iqamah('isha', 0, 7), ['20:00', '20:30', '20:30', '21:00', '21:00', '20:00', '20:00'])
    const { ends_on, replaced_days, replaced_timetables } = (await stored(here, id)) ?? {}
    assert.deepEqual(
      { ends_on, replaced_days, replaced_timetables },
      { ends_on: times.day(2), replaced_days: 0, replaced_timetables: {} },
    )
    await here.undo(id)
    assert.deepEqual(await here.rules('isha'), before)
  })

  test('inside of one is refused with the number of its days, of those too that are not calculated yet', async () => {
    const here = await times(rule)
    await here.publish({ from: -2, days: 368, without: 4 })
    const before = await here.rules('isha')
    for (const first_on of [1, 4])
      await assert.rejects(
        here.change({ ...beside, first_on }),
        new RegExp(`would replace ${first_on === 1 ? 364 : 362 - 1} days`),
      )
    assert.deepEqual(await here.rules('isha'), before)
  })

  test('replaces one that it is said to replace, says how many days, and is taken back to all of them', async () => {
    const here = await times(rule)
    const [year, month] = [
      await here.publish({ from: 1, days: 365 }),
      await here.publish({ from: 3, days: 2, iqamah: '21:15' }),
    ]
    const before = [await here.rules('isha'), await here.iqamah('isha', 0, 8)]
    const id = await here.change({ ...instead, first_on: 2 })
    assert.deepEqual(await here.iqamah('isha', 1, 4), ['21:00', '20:30', '20:30', '20:30'])
    assert.deepEqual(await stored(here, id), {
      status: 'published',
      reason: null,
      ends_on: null,
      replaced_days: 364,
      replaced_timetables: { [year]: 362, [month]: 2 },
    })
    await here.undo(id)
    assert.deepEqual([await here.rules('isha'), await here.iqamah('isha', 0, 8)], before)
  })

  test('that does not say replaces them as before, and says how many days', async () => {
    const here = await times(rule)
    await here.publish({ from: 2, days: 365 })
    const id = await here.change({ ...isha, first_on: 1 })
    assert.deepEqual(await here.iqamah('isha', 1, 3), ['20:30', '20:30', '20:30'])
    assert.equal((await stored(here, id))?.replaced_days, 365)
  })

  test('with a last day stands above them, whatever it says, and they come back', async () => {
    const here = await times(rule)
    await here.publish({ from: 0, days: 20 })
    const id = await here.change({ ...beside, first_on: 1, last_on: 2 })
    assert.deepEqual(await here.iqamah('isha', 0, 4), ['21:00', '20:30', '20:30', '21:00'])
    assert.equal((await stored(here, id))?.replaced_days, 2)
  })

  test('that replaces every rule, or has none to replace, ends there too', async () => {
    const all = await times(rule)
    await all.publish({ from: 2, days: 2 })
    await all.change({ ...beside, first_on: 1, replaces_all: true })
    assert.deepEqual(await all.iqamah('isha', 0, 5), ['20:00', '20:30', '21:00', '21:00', '20:00'])
    const first = await times()
    await first.publish({ from: 2, days: 2 })
    await first.change({ ...beside, first_on: 1 })
    assert.deepEqual(await first.iqamah('isha', 0, 5), [null, '20:30', '21:00', '21:00', null])
  })

  test('takes a session off beside one, or off it too', async () => {
    const here = await times(rule)
    await here.publish({ from: 2, days: 2 })
    await here.change({ prayer: 'isha', first_on: 1, replace_timetables: false })
    assert.deepEqual(await here.iqamah('isha', 0, 5), ['20:00', null, '21:00', '21:00', '20:00'])
    await assert.rejects(
      here.change({ prayer: 'isha', first_on: 2, replace_timetables: false }),
      /would replace 2 days/,
    )
    const id = await here.change({ prayer: 'isha', first_on: 2, replace_timetables: true })
    assert.deepEqual(await here.iqamah('isha', 0, 5), ['20:00', null, null, null, null])
    await here.undo(id)
    assert.deepEqual(await here.iqamah('isha', 0, 5), ['20:00', null, '21:00', '21:00', '20:00'])
  })

  test('of Jumu’ah is asked about where no Friday comes before the timetable', async () => {
    const here = await times({ prayer: 'jumuah', rule: 'fixed', fixed_time: '13:15' })
    const friday = (12 - (new Date(times.day(0)).getUTCDay() || 7)) % 7
    await here.publish({ prayer: 'jumuah', from: friday + 7, days: 1, iqamah: '13:40' })
    const jumuah = { prayer: 'jumuah', rule: 'fixed', fixed_time: '13:30', replace_timetables: false } as const
    await assert.rejects(here.change({ ...jumuah, first_on: friday + 1 }), /would replace 1 days/)
    await here.change({ ...jumuah, first_on: friday })
    assert.deepEqual(await here.iqamah('jumuah', 0, 14), ['13:30', '13:40'])
  })

  test('waits for a publication that is under way, and ends where that begins', async () => {
    const here = await times(rule)
    let changed: Promise<unknown> | undefined
    let isMade = false
    await here.database.transaction(async transaction => {
      for (const [name, value] of [['user_id', here.userId]] as const)
        await transaction.run(sql`select set_config(${`minaret.${name}`}, ${value}, true)`)
      await transaction.run(sql`
        select pc_publish_timetable(${here.masjid.id}, 'A year', ${JSON.stringify([
          { date: times.day(2), prayer: 'isha', iqamah: '21:00' },
        ])}::jsonb)`)
      changed = here.change({ ...beside, first_on: 1 }).finally(() => {
        isMade = true
      })
      while (!isMade) {
        const waiting = await here.database.query(sql`
          select from pg_locks where locktype = 'advisory' and not granted
            and ${inThisDatabase}`)
        if (waiting.length > 0) break
        await delay(20)
      }
    })
    await changed
    assert.deepEqual(await here.iqamah('isha', 0, 4), ['20:00', '20:30', '21:00', '20:00'])
  })

  test('replaces no other days than those it was agreed to', async () => {
    const here = await times(rule)
    const year = await here.publish({ from: 1, days: 5 })
    const agreed = { ...instead, first_on: 1, expected_timetables: JSON.stringify({ [year]: 5 }) }
    await here.publish({ from: 2, days: 1, iqamah: '21:15' })
    await assert.rejects(here.change(agreed), /published or undone a timetable since/)
    assert.deepEqual(await here.iqamah('isha', 1, 2), ['21:00', '21:15'])
  })

  test('and publications in one transaction, in any order, wait for each other without a deadlock', async () => {
    const here = await times(rule)
    const days = JSON.stringify([{ date: times.day(5), prayer: 'isha', iqamah: '21:00' }])
    const publish = sql`select id from pc_publish_timetable(${here.masjid.id}, 'A year', ${days}::jsonb)`
    const change = sql`
      select id from pc_change_iqamah(masjid_id => ${here.masjid.id}, prayer => 'isha', first_on => ${times.day(1)},
        rule => 'fixed', fixed_time => '20:30', replace_timetables => false)`
    const both = (...statements: (typeof change)[]) => writeAs(here.database, { user_id: here.userId }, ...statements)
    await Promise.all([0, 1, 2].flatMap(() => [both(publish, change), both(change, publish)]))
    assert.deepEqual(await here.iqamah('isha', 4, 2), ['20:30', '21:00'])
  })

  test('that is planned ends where a timetable begins that was published meanwhile', async () => {
    const here = await times(rule)
    const id = await here.change({ ...beside, first_on: 1, publish_at: later(60) })
    assert.deepEqual((await stored(here, id))?.replaced_days, 0)
    await here.publish({ from: 3, days: 2 })
    assert.equal((await arrive(here, id))?.ends_on, times.day(2))
    assert.deepEqual(await here.iqamah('isha', 0, 5), ['20:00', '20:30', '20:30', '21:00', '21:00'])
  })

  test('that is planned fails with the reason if it is inside of such a timetable', async () => {
    const here = await times(rule)
    const id = await here.change({ ...beside, first_on: 1, publish_at: later(60) })
    await here.publish({ from: 0, days: 5 })
    const failed = await arrive(here, id)
    assert.equal(failed?.status, 'failed')
    assert.match(failed?.reason ?? '', /This would replace 4 days of published timetables/)
    assert.deepEqual(await here.iqamah('isha', 0, 3), ['21:00', '21:00', '21:00'])
  })

  test('that is planned replaces what it was agreed to replace, and nothing newer', async () => {
    const here = await times(rule)
    const year = await here.publish({ from: 0, days: 10 })
    const plan = { ...instead, first_on: 1, publish_at: later(60) } as const
    const [id, other] = [await here.change(plan), await here.change({ ...plan, first_on: 5 })]
    assert.deepEqual((await stored(here, id))?.replaced_timetables, { [year]: 9 })
    await here.publish({ from: 4, days: 2, iqamah: '21:15' })
    assert.equal((await arrive(here, id))?.ends_on, times.day(3))
    assert.deepEqual(await here.iqamah('isha', 0, 7), ['21:00', '20:30', '20:30', '20:30', '21:15', '21:15', '21:00'])
    assert.match((await arrive(here, other))?.reason ?? '', /published since have 1 of its days/)
  })

  test('that is planned and does not say replaces newer timetables too, as before', async () => {
    const here = await times(rule)
    const id = await here.change({ ...isha, first_on: 1, publish_at: later(60) })
    await here.publish({ from: 0, days: 5 })
    assert.equal((await arrive(here, id))?.replaced_days, 4)
    assert.deepEqual(await here.iqamah('isha', 0, 3), ['21:00', '20:30', '20:30'])
  })

  test('counts the days of timetables in the order in which times are read', async () => {
    const here = await times(rule, {
      prayer: 'isha',
      rule: 'fixed',
      fixed_time: '19:00',
      weekdays: [5, 6],
      priority: 3,
    })
    await here.publish({ from: -1, days: 14, without: 2 })
    await here.change({ ...isha, first_on: 4 })
    await here.publish({ from: 6, days: 3, iqamah: '21:15' })
    await here.change({ ...isha, first_on: 1, last_on: 2 })
    await here.change({ prayer: 'isha', first_on: 10, replace_timetables: true })
    const rows = await here.database.query<{ date: string; read: boolean; counted: boolean }>(sql`
      select times.date, times.schedule_id is null and times.iqamah_at is not null as read, day.id is not null as counted
      from pc_prayer_times times
      left join days_given_by_timetables(${here.masjid.id}, '-infinity') day
        on day.date = times.date and day.prayer = times.prayer and day.session = times.session
      where times.masjid_id = ${here.masjid.id} and times.prayer = 'isha'`)
    assert.ok(rows.some(row => row.read) && rows.some(row => !row.read))
    assert.deepEqual(
      rows.filter(row => row.read !== row.counted),
      [],
    )
  })
})
