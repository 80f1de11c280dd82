// A change that is published at a set time: once, with the rights its author has then, and late rather than never.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { writeAs } from '../../data-model/writing.ts'
import { makeStaff } from '../use-staff.ts'
import { type TimesOfMasjid, useTimes } from './use-times.ts'

const isha = { prayer: 'isha', rule: 'fixed', fixed_time: '20:30' } as const
const later = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

const statusOf = async ({ database }: TimesOfMasjid, id: string) =>
  database.first<{ status: string; reason: string | null }>(
    sql`select status, reason from pc_iqamah_changes where id = ${id}`,
  )

/** As if its time had come. */
const arrive = ({ database }: TimesOfMasjid, id: string, ago = '1 second') =>
  database.run(sql`update pc_iqamah_changes set publish_at = now() - ${ago}::interval where id = ${id}`)

const wake = ({ database }: TimesOfMasjid) => database.run(sql`select pg_notify('minaret_planned_changes', '')`)

/** Waits for the job of the service. */
const settled = async (times: TimesOfMasjid, id: string) => {
  for (;;) {
    const row = await statusOf(times, id)
    if (row?.status !== 'planned') return row
    await wake(times)
    await delay(50)
  }
}

describe('a planned change', () => {
  const times = useTimes()
  const rule = { prayer: 'isha', rule: 'fixed', fixed_time: '20:00' } as const

  test('changes nothing before its time, and then is made by the job', async () => {
    const here = await times(rule)
    const id = await here.change({ ...isha, first_on: 1, publish_at: later(60) })
    assert.deepEqual(await here.iqamah('isha', 0, 2), ['20:00', '20:00'])
    await arrive(here, id)
    assert.equal((await settled(here, id))?.status, 'published')
    assert.deepEqual(await here.iqamah('isha', 0, 2), ['20:00', '20:30'])
  })

  test('is made once by several processes', async () => {
    const here = await times(rule)
    const id = await here.change({ ...isha, first_on: 1, publish_at: later(60) })
    await arrive(here, id)
    await Promise.all(
      Array.from({ length: 6 }, () =>
        here.database.run(sql`select public.run_planned_changes(1)`).catch(() => undefined),
      ),
    )
    assert.equal((await settled(here, id))?.status, 'published')
    assert.equal((await here.rules('isha')).length, 2)
  })

  test('that was missed for days is made all the same, unless its days are over', async () => {
    const here = await times(rule)
    const open = await here.change({ ...isha, first_on: 0, publish_at: later(5) })
    const over = await here.change({ ...isha, first_on: 0, last_on: 0, publish_at: later(5) })
    await here.database.run(sql`
      update pc_iqamah_changes set first_on = first_on - 3, last_on = last_on - 3 where id in (${open}, ${over})`)
    await arrive(here, open, '3 days')
    await arrive(here, over, '3 days')
    assert.equal((await settled(here, open))?.status, 'published')
    assert.deepEqual(await settled(here, over), {
      status: 'failed',
      reason: 'Its days were over before it could be made.',
    })
    assert.deepEqual(await here.iqamah('isha', 0, 1), ['20:30'])
  })

  test('fails if its author was dismissed meanwhile, in the author’s name', async () => {
    const here = await times(rule)
    const id = await here.change({ ...isha, first_on: 1, publish_at: later(60) })
    await here.database.run(sql`update ua_members set status = 'inactive' where user_id = ${here.userId}`)
    await arrive(here, id)
    assert.deepEqual(await settled(here, id), {
      status: 'failed',
      reason: 'This needs the capability "times" at the masjid.',
    })
    assert.deepEqual(await here.iqamah('isha', 1, 1), ['20:00'])
  })

  test('can be called off, once, and by a colleague too', async () => {
    const here = await times(rule)
    const id = await here.change({ ...isha, first_on: 1, publish_at: later(60) })
    const { id: colleague } = await makeStaff(here.database, { masjid: here.masjid, capabilities: ['times'] })
    await writeAs(here.database, { user_id: colleague }, sql`select id from pc_cancel_iqamah_change(${id})`)
    await arrive(here, id)
    await wake(here)
    await assert.rejects(here.cancel(id), /Only a planned change/)
    assert.equal((await statusOf(here, id))?.status, 'cancelled')
  })

  test('is refused for a time in the past, ten years ahead, or after its first day', async () => {
    const here = await times(rule)
    await assert.rejects(here.change({ ...isha, first_on: 1, publish_at: later(-60) }), /in the future/)
    await assert.rejects(
      here.change({ ...isha, first_on: 1, publish_at: later(10 * 525_600) }),
      /first day at the latest/,
    )
    await assert.rejects(here.change({ ...isha, first_on: 1, publish_at: later(3 * 1440) }), /first day at the latest/)
  })

  test('is tried when it is planned, so that a mistake is told at once', async () => {
    const here = await times(rule)
    const wrong = { prayer: 'isha', first_on: 1, rule: 'fixed', publish_at: later(60) } as const
    await assert.rejects(here.change(wrong), /pc_iqamah_schedules_rule_check/)
  })

  test('is for people: an app by itself changes times at once or not at all', async () => {
    const { masjid, database, iqamah } = await times(rule)
    const app = { app_id: '', user_id: '', masjids: `{${masjid.id}}`, own_masjids: `{${masjid.id}}` }
    const call = (publish_at: string | null) =>
      writeAs(
        database,
        app,
        sql`select id from pc_change_iqamah(masjid_id => ${masjid.id}, prayer => 'isha', first_on => ${times.day(1)},
          rule => 'fixed', fixed_time => '20:30', publish_at => ${publish_at})`,
      )
    await assert.rejects(call(later(60)), /Only people plan changes/)
    await call(null)
    assert.deepEqual(await iqamah('isha', 0, 2), ['20:00', '20:30'])
  })
})
