// Somebody who looks after the times of one masjid, at another; and two at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { writeAs } from '../../data-model/writing.ts'
import { useTimes } from '../../staff/week/use-times.ts'

describe('somebody who looks after the times of one masjid', () => {
  const times = useTimes()
  const rule = { prayer: 'isha', rule: 'fixed', fixed_time: '20:00' } as const
  const isha = { prayer: 'isha', first_on: 1, rule: 'fixed', fixed_time: '20:30' } as const

  test('changes nothing at another, neither by its id nor by the id of a change', async () => {
    const [own, other] = [await times(rule), await times(rule)]
    const made = await other.change(isha)
    const planned = await other.change({ ...isha, publish_at: new Date(Date.now() + 3_600_000).toISOString() })
    const as = (statement: Parameters<typeof writeAs>[2]) => writeAs(own.database, { user_id: own.userId }, statement)
    const before = await other.rules('isha')
    const calls = [
      sql`select id from pc_change_iqamah(masjid_id => ${other.masjid.id}, prayer => 'isha', first_on => ${times.day(1)})`,
      sql`select id from pc_undo_iqamah_change(${made})`,
      sql`select id from pc_cancel_iqamah_change(${planned})`,
      sql`select id from pc_cancel_iqamah_change(gen_random_uuid())`,
    ]
    for (const call of calls) await assert.rejects(as(call), { code: 'MN003' })
    assert.deepEqual(await other.rules('isha'), before)
    assert.deepEqual(await as(sql`select id from pc_iqamah_changes where masjid_id = ${other.masjid.id}`), [])
  })

  test('never leaves two rules for one day when two change the same prayer at once', async () => {
    const here = await times(rule)
    const clocks = Array.from({ length: 8 }, (_, index) => `20:${String(index + 10)}`)
    const made = await Promise.allSettled(clocks.map(fixed_time => here.change({ ...isha, fixed_time })))
    assert.deepEqual(
      made.flatMap(result => (result.status === 'rejected' ? [String(result.reason)] : [])),
      [],
    )
    const [tomorrow] = await here.iqamah('isha', 1, 1)
    assert.ok(clocks.includes(tomorrow ?? ''))
    assert.equal((await here.rules('isha')).length, 2)
  })
})
