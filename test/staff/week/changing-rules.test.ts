// One prayer is changed from a day on: which rules are written, what stays, and how it is taken back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { writeAs } from '../../data-model/writing.ts'
import { insertRule, type TestRule } from '../../support/iqamah.ts'
import { useTimes } from './use-times.ts'

describe('a change of a prayer', () => {
  const times = useTimes()

  test('from a day on ends the rule in force and takes its place', async () => {
    const { masjid, change, iqamah, rules } = await times({ prayer: 'isha', rule: 'fixed', fixed_time: '20:00' })
    await change({ prayer: 'isha', first_on: 3, rule: 'fixed', fixed_time: '20:30' })
    assert.deepEqual(await iqamah('isha', 0, 5), ['20:00', '20:00', '20:00', '20:30', '20:30'])
    assert.equal((await rules('isha')).length, 2, masjid.id)
  })

  test('for some days stands above every rule, and these come back', async () => {
    const { change, iqamah } = await times(
      { prayer: 'isha', rule: 'fixed', fixed_time: '20:00' },
      { prayer: 'isha', rule: 'fixed', fixed_time: '21:00', priority: 7, weekdays: [1, 2, 3, 4, 5, 6, 7] },
    )
    await change({ prayer: 'isha', first_on: 1, last_on: 2, rule: 'fixed', fixed_time: '20:30' })
    assert.deepEqual(await iqamah('isha', 0, 4), ['21:00', '20:30', '20:30', '21:00'])
  })

  test('for some days works below a rule of the highest priority too', async () => {
    const { change, undo, iqamah } = await times({ prayer: 'asr', rule: 'fixed', fixed_time: '16:00', priority: 100 })
    const id = await change({ prayer: 'asr', first_on: 1, last_on: 1, rule: 'fixed', fixed_time: '16:30' })
    assert.deepEqual(await iqamah('asr', 0, 3), ['16:00', '16:30', '16:00'])
    await undo(id)
    assert.deepEqual(await iqamah('asr', 0, 3), ['16:00', '16:00', '16:00'])
  })

  test('from a day on keeps the rules of other seasons and of other weekdays', async () => {
    const kept: TestRule[] = [
      { prayer: 'fajr', rule: 'fixed', fixed_time: '05:00', season: 'ramadan', priority: 5 },
      { prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:45', weekdays: [6, 7], priority: 1 },
    ]
    const { change, rules } = await times(
      { prayer: 'fajr', rule: 'offset', offset_minutes: 20 },
      { prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:15', weekdays: [1, 2, 3, 4, 5] },
      ...kept,
    )
    const monday = 7 - ((new Date(times.day(0)).getUTCDay() + 6) % 7)
    await change({ prayer: 'fajr', first_on: 1, rule: 'offset', offset_minutes: 30 })
    await change({ prayer: 'dhuhr', first_on: monday, rule: 'fixed', fixed_time: '13:30' })
    const fajr = await rules('fajr')
    assert.deepEqual(fajr.map(({ season }) => season).sort(), ['all_year', 'all_year', 'ramadan'])
    assert.equal(fajr.find(({ season }) => season === 'ramadan')?.valid, '(,)')
    const dhuhr = await rules('dhuhr')
    assert.deepEqual(dhuhr.find(({ fixed_time }) => fixed_time === '13:30:00')?.weekdays, [1, 2, 3, 4, 5])
    assert.equal(dhuhr.find(({ fixed_time }) => fixed_time === '13:45:00')?.valid, '(,)')
  })

  test('from a day on can replace everything that follows', async () => {
    const { change, rules, undo } = await times(
      { prayer: 'fajr', rule: 'offset', offset_minutes: 20 },
      { prayer: 'fajr', rule: 'fixed', fixed_time: '05:00', season: 'ramadan', priority: 5 },
      { prayer: 'fajr', rule: 'fixed', fixed_time: '06:00', priority: 6, valid: `[${times.day(10)},${times.day(20)})` },
    )
    const before = await rules('fajr')
    const id = await change({ prayer: 'fajr', first_on: 1, rule: 'fixed', fixed_time: '05:30', replaces_all: true })
    const after = await rules('fajr')
    assert.equal(after.find(({ fixed_time }) => fixed_time === '05:30:00')?.valid, `[${times.day(1)},)`)
    assert.ok(
      after.filter(({ fixed_time }) => fixed_time !== '05:30:00').every(({ valid }) => valid === `(,${times.day(1)})`),
    )
    await undo(id)
    assert.deepEqual(await rules('fajr'), before)
  })

  test('ends rules for a few days that stand in its way, and goes on after them', async () => {
    const { change, iqamah } = await times(
      { prayer: 'isha', rule: 'fixed', fixed_time: '20:00' },
      { prayer: 'isha', rule: 'fixed', fixed_time: '19:00', priority: 3, valid: `[${times.day(0)},${times.day(4)})` },
    )
    await change({ prayer: 'isha', first_on: 2, rule: 'fixed', fixed_time: '20:30' })
    assert.deepEqual(await iqamah('isha', 0, 6), ['19:00', '19:00', '20:30', '20:30', '20:30', '20:30'])
  })

  test('gives a prayer without rules its first', async () => {
    const { change, iqamah } = await times({
      prayer: 'asr',
      rule: 'fixed',
      fixed_time: '17:00',
      valid: `[${times.day(3)},)`,
    })
    await change({ prayer: 'asr', first_on: 1, rule: 'fixed', fixed_time: '16:30' })
    assert.deepEqual(await iqamah('asr', 0, 5), [null, '16:30', '16:30', '17:00', '17:00'])
  })

  test('is taken back in reverse order, each to exactly what was before', async () => {
    const { change, undo, rules } = await times({ prayer: 'isha', rule: 'fixed', fixed_time: '20:00' })
    const before = await rules('isha')
    const first = await change({ prayer: 'isha', first_on: 1, rule: 'fixed', fixed_time: '20:10' })
    const second = await change({ prayer: 'isha', first_on: 2, rule: 'fixed', fixed_time: '20:20' })
    await assert.rejects(undo(first), /changed since/)
    await undo(second)
    await undo(first)
    assert.deepEqual(await rules('isha'), before)
    await assert.rejects(undo(first), /Only a published change/)
  })

  test('is not taken back over somebody’s later edit', async () => {
    const { masjid, database, change, undo } = await times({ prayer: 'isha', rule: 'fixed', fixed_time: '20:00' })
    const id = await change({ prayer: 'isha', first_on: 1, rule: 'fixed', fixed_time: '20:10' })
    await database.run(sql`
      update pc_iqamah_schedules set fixed_time = '20:15' where masjid_id = ${masjid.id} and fixed_time = '20:10'`)
    await assert.rejects(undo(id), /changed since/)
  })

  test('is refused for days that are over, too far away, or in the wrong order', async () => {
    const { change } = await times({ prayer: 'isha', rule: 'fixed', fixed_time: '20:00' })
    const isha = { prayer: 'isha', rule: 'fixed', fixed_time: '20:30' } as const
    await assert.rejects(change({ ...isha, first_on: -1 }), /begins today or later/)
    await assert.rejects(change({ ...isha, first_on: 3650 }), /within 400 days/)
    await assert.rejects(change({ ...isha, first_on: 3, last_on: 2 }), /pc_iqamah_changes_days_check/)
    await assert.rejects(change({ prayer: 'isha', first_on: 1, rule: 'fixed' }), /pc_iqamah_schedules_rule_check/)
  })

  test('is refused if the rules are not those that were read', async () => {
    const { masjid, database, change } = await times({ prayer: 'isha', rule: 'fixed', fixed_time: '20:00' })
    const read = await database.first<{ rules: string }>(sql`
      select jsonb_object_agg(id, version)::text as rules from pc_iqamah_schedules where masjid_id = ${masjid.id}`)
    const isha = { prayer: 'isha', first_on: 1, rule: 'fixed', expected_rules: read?.rules } as const
    await change({ ...isha, fixed_time: '20:10' })
    await assert.rejects(change({ ...isha, fixed_time: '20:20' }), /Somebody else/)
  })

  test('of Jumu’ah from any day takes the place of the rule of Fridays', async () => {
    const { masjid, database, change, rules } = await times()
    await insertRule(database, masjid.id, { prayer: 'jumuah', rule: 'fixed', fixed_time: '13:15', weekdays: [5] })
    await change({
      prayer: 'jumuah',
      first_on: 1,
      rule: 'fixed',
      fixed_time: '13:30',
      imam: 'Sh. Yusuf',
      language: 'en',
      khutbah_minutes: 25,
    })
    const [former, next] = (await rules('jumuah')).sort((a, b) =>
      (a.fixed_time ?? '').localeCompare(b.fixed_time ?? ''),
    )
    assert.equal(former?.valid, `(,${times.day(1)})`)
    assert.deepEqual([next?.imam, next?.language, next?.weekdays], ['Sh. Yusuf', 'en', [5]])
  })

  test('stands above timetables that were published before it, and below later ones', async () => {
    const { masjid, database, userId, change, undo, iqamah } = await times()
    const publish = (clock: string) =>
      writeAs(
        database,
        { user_id: userId },
        sql`select id from pc_publish_timetable(${masjid.id}, 'A year', ${JSON.stringify(
          [0, 1, 2].map(ahead => ({ date: times.day(ahead), prayer: 'isha', iqamah: clock })),
        )}::jsonb)`,
      )
    await publish('20:00')
    const id = await change({ prayer: 'isha', first_on: 1, rule: 'fixed', fixed_time: '20:30' })
    assert.deepEqual(await iqamah('isha', 0, 3), ['20:00', '20:30', '20:30'])
    await publish('20:45')
    assert.deepEqual(await iqamah('isha', 0, 3), ['20:45', '20:45', '20:45'])
    await undo(id)
    assert.deepEqual(await iqamah('isha', 0, 3), ['20:45', '20:45', '20:45'])
  })

  test('that a session is not held takes it off one Friday, or off all from a day on', async () => {
    const { masjid, database, change } = await times(
      { prayer: 'jumuah', rule: 'fixed', fixed_time: '13:15' },
      { prayer: 'jumuah', session: 2, rule: 'fixed', fixed_time: '14:15' },
    )
    const fridays = async (): Promise<string[]> => {
      const rows = await database.query<{ session: number; date: string }>(sql`
        select session, date::text from pc_prayer_times where masjid_id = ${masjid.id} and prayer = 'jumuah'
          and date between ${times.day(0)} and ${times.day(13)} order by date, session`)
      return rows.map(({ session }) => String(session))
    }
    const friday = (12 - (new Date(times.day(0)).getUTCDay() || 7)) % 7
    await change({ prayer: 'jumuah', session: 2, first_on: friday, last_on: friday })
    assert.deepEqual(await fridays(), ['1', '1', '2'])
    await change({ prayer: 'jumuah', session: 2, first_on: friday + 1 })
    assert.deepEqual(await fridays(), ['1', '1'])
    await change({ prayer: 'isha', first_on: 0, last_on: 1 })
  })
})
