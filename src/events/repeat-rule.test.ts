import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandRule, localMs } from './expand-rule.ts'
import { onceOnly, type Repeat, readRepeat, repeatKinds, writeRepeat } from './repeat-rule.ts'

const first = { date: '2026-11-20', timezone: 'America/New_York' }
const starts_local = '2026-11-20T19:30:00'
const season = { from: localMs('2026-11-01T00:00:00'), until: localMs('2027-03-01T00:00:00') }
const startsOf = (repeat: Repeat): string[] =>
  expandRule({ starts_local, timezone: first.timezone, rrule: writeRepeat(repeat, first), exdates: [] }, season).map(
    start => start.slice(0, 10),
  )

test('each choice becomes a rule that is followed', () => {
  assert.deepEqual(startsOf(onceOnly), ['2026-11-20'])
  assert.deepEqual(startsOf({ ...onceOnly, kind: 'daily', count: '3' }), ['2026-11-20', '2026-11-21', '2026-11-22'])
  assert.deepEqual(startsOf({ ...onceOnly, kind: 'weekly', until: '2026-12-04' }), [
    '2026-11-20',
    '2026-11-27',
    '2026-12-04',
  ])
  assert.deepEqual(startsOf({ ...onceOnly, kind: 'weekly', days: ['FR', 'TU'], count: '3' }), [
    '2026-11-20',
    '2026-11-24',
    '2026-11-27',
  ])
  assert.deepEqual(startsOf({ ...onceOnly, kind: 'fortnightly', count: '2' }), ['2026-11-20', '2026-12-04'])
  assert.deepEqual(startsOf({ ...onceOnly, kind: 'monthly_weekday', count: '2' }), ['2026-11-20', '2026-12-18'])
  assert.deepEqual(startsOf({ ...onceOnly, kind: 'monthly_day', count: '2' }), ['2026-11-20', '2026-12-20'])
})

test('a rule of the form is read back as it was chosen', () => {
  for (const kind of repeatKinds)
    for (const end of [{}, { until: '2027-01-31' }, { count: '12' }]) {
      const rule = writeRepeat({ ...onceOnly, kind, ...end }, first)
      const read = readRepeat(rule, first)
      assert.equal(read.kind, kind)
      assert.equal(writeRepeat(read, first), rule)
    }
  assert.equal(readRepeat('FREQ=DAILY;UNTIL=20270201T045959Z', first).until, '2027-01-31', 'the last day in New York')
})

test('a rule that the form cannot express is kept as it is', () => {
  for (const rule of [
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=FR',
    'FREQ=MONTHLY;BYDAY=2SA',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=WEEKLY;BYDAY=FR;WKST=SU',
    'FREQ=YEARLY;BYMONTH=3',
  ]) {
    const read = readRepeat(rule, first)
    assert.equal(read.kind, 'custom', rule)
    assert.equal(writeRepeat(read, first), rule)
  }
})

test('an end that no calendar has is left as it is written', () => {
  for (const until of ['99999999', '20260230', '99999999T999999Z', '20261120T256161Z']) {
    const rule = `FREQ=DAILY;UNTIL=${until}`
    assert.deepEqual(readRepeat(rule, first), { ...onceOnly, kind: 'custom', rule })
  }
})
