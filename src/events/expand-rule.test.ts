import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWatch } from '../../test/support/waited.ts'
import { expandRule, localMs, type Recurrence, RuleFault } from './expand-rule.ts'

const year = { from: localMs('2026-01-01T00:00:00'), until: localMs('2026-12-31T23:59:59') }

const event = (rrule: string | null, changes: Partial<Recurrence> = {}): Recurrence => ({
  starts_local: '2026-01-02 19:30:00',
  timezone: 'America/New_York',
  rrule,
  exdates: [],
  ...changes,
})

test('an event without a rule takes place once', () => {
  assert.deepEqual(expandRule(event(null), year), ['2026-01-02T19:30:00'])
  assert.deepEqual(expandRule(event(null, { starts_local: '2027-05-01 10:00:00' }), year), [])
})

test('a weekly event keeps its local time all year', () => {
  const starts = expandRule(event('FREQ=WEEKLY;BYDAY=FR'), year)
  assert.equal(starts.length, 52)
  assert.ok(starts.every(start => start.endsWith('T19:30:00')))
})

test('the second Saturday, the last Friday, every other week', () => {
  const month = { from: localMs('2026-03-01T00:00:00'), until: localMs('2026-03-31T23:59:59') }
  assert.deepEqual(expandRule(event('FREQ=MONTHLY;BYDAY=2SA'), month), ['2026-03-14T19:30:00'])
  assert.deepEqual(expandRule(event('FREQ=MONTHLY;BYDAY=-1FR'), month), ['2026-03-27T19:30:00'])
  assert.deepEqual(expandRule(event('FREQ=WEEKLY;INTERVAL=2;BYDAY=FR'), month), [
    '2026-03-13T19:30:00',
    '2026-03-27T19:30:00',
  ])
})

test('a count starts at the first, and excluded dates still count', () => {
  const starts = expandRule(event('FREQ=DAILY;COUNT=4', { exdates: ['2026-01-03 19:30:00'] }), year)
  assert.deepEqual(starts, ['2026-01-02T19:30:00', '2026-01-04T19:30:00', '2026-01-05T19:30:00'])
})

test('until: an instant in UTC, a local time, or a whole day', () => {
  // 00:30 UTC on the 6th is 19:30 on the 5th in New York: that evening is still included
  assert.equal(expandRule(event('FREQ=DAILY;UNTIL=20260106T003000Z'), year).at(-1), '2026-01-05T19:30:00')
  assert.equal(expandRule(event('FREQ=DAILY;UNTIL=20260106T002959Z'), year).at(-1), '2026-01-04T19:30:00')
  assert.equal(expandRule(event('FREQ=DAILY;UNTIL=20260105T193000'), year).at(-1), '2026-01-05T19:30:00')
  assert.equal(expandRule(event('FREQ=DAILY;UNTIL=20260105'), year).at(-1), '2026-01-05T19:30:00')
})

test('a rule that starts long ago is expanded quickly', () => {
  const watch = startWatch()
  assert.equal(expandRule(event('FREQ=WEEKLY;BYDAY=FR', { starts_local: '1990-01-05 19:30:00' }), year).length, 52)
  assert.ok(watch() < 10_000)
})

test('an invalid rule is refused', () => {
  for (const rule of ['FREQ=DAILY;INTERVAL=0', 'FREQ=DAILY;COUNT=0', 'FREQ=WEEKLY;BYDAY=XX'])
    assert.throws(() => expandRule(event(rule), year), RuleFault, rule)
})

test('a rule that never matches is abandoned, not expanded to the year 9999', () => {
  const watch = startWatch()
  assert.throws(() => expandRule(event('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'), year), RuleFault)
  assert.ok(watch() < 10_000)
})
