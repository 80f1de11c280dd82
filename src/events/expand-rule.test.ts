import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import rrule from 'rrule'
import { holds } from '../../test/support/holds.ts'
import { expandRule, localMs, type Recurrence, RuleFault } from './expand-rule.ts'
import { followRule } from './follow-rule.ts'

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

test('a rule that starts long ago is followed from shortly before the window', () => {
  for (const starts_local of ['1990-01-05 19:30:00', '1900-01-05 19:30:00'])
    assert.equal(expandRule(event('FREQ=WEEKLY;BYDAY=FR', { starts_local }), year).length, 52)
})

test('an invalid rule is refused', () => {
  for (const rule of ['FREQ=DAILY;INTERVAL=0', 'FREQ=DAILY;COUNT=0', 'FREQ=WEEKLY;BYDAY=XX'])
    assert.throws(() => expandRule(event(rule), year), RuleFault, rule)
})

const upTo = (end: number): string => Array.from({ length: end }, (_, index) => index).join()

test('a rule that matches none of 20,000 candidates is refused, not followed to the year 9999', () => {
  const rules = [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=WEEKLY;BYMONTH=13',
    'FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=20',
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29;COUNT=3',
    'FREQ=YEARLY;BYYEARDAY=366;BYMONTH=3',
    `FREQ=DAILY;BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)};BYSECOND=${upTo(20)}`,
  ]
  for (const rule of rules)
    assert.throws(() => expandRule(event(rule, { starts_local: '2025-01-02 19:30:00' }), year), RuleFault, rule)
})

test('a rule whose next date is far away, or whose last one has passed, is none without dates', () => {
  const rules = [
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=FR',
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=YEARLY;INTERVAL=7',
    'FREQ=DAILY;COUNT=3',
    'FREQ=DAILY;UNTIL=20250101T000000Z;BYMONTH=2;BYMONTHDAY=30',
  ]
  for (const rule of rules)
    assert.deepEqual(expandRule(event(rule, { starts_local: '2024-06-02 19:30:00' }), year), [], rule)
  assert.deepEqual(
    expandRule(event('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', { starts_local: '2024-02-29 19:30:00' }), {
      from: localMs('2028-01-01T00:00:00'),
      until: localMs('2028-12-31T00:00:00'),
    }),
    ['2028-02-29T19:30:00'],
  )
})

const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const listOf = <T>(values: readonly T[], most: number) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: most })
const part = (name: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant(''),
    values.map(value => `;${name}=${value}`),
  )
const partsOf: Readonly<Record<string, readonly fc.Arbitrary<string>[]>> = {
  DAILY: [part('BYDAY', listOf(days, 3)), part('BYHOUR', listOf([8, 12, 19], 2))],
  WEEKLY: [
    part('BYDAY', listOf(days, 4)),
    part('WKST', fc.constantFrom(...days)),
    part('BYMONTH', listOf([1, 3, 9], 3)),
  ],
  MONTHLY: [part('BYDAY', listOf(['1FR', '-1SU', '5SA', '2MO', '-2TH'], 3)), part('BYSETPOS', fc.constantFrom(1, -1))],
  YEARLY: [part('BYMONTH', listOf([1, 2, 6, 12], 3)), part('BYMONTHDAY', listOf([1, 15, 28, -1, -2], 3))],
}
/** The day of the month is the first date's, unless the rule says one: there is no 31 June, and a 29 February in few years. */
const isInEachMonth = (rule: string, first: Date): boolean =>
  !rule.includes('BYMONTH=') ||
  rule.includes('BYMONTHDAY=') ||
  !rule.startsWith('FREQ=YEARLY') ||
  first.getUTCDate() <= 28

const events = fc.record({
  rule: fc
    .constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY')
    .chain(freq =>
      fc
        .tuple(
          ...(partsOf[freq] ?? []),
          part('INTERVAL', fc.integer({ min: 1, max: 5 })),
          part('COUNT', fc.integer({ min: 1, max: 150 })),
        )
        .map(parts => `FREQ=${freq}${parts.join('')}`),
    ),
  first: fc.date({ min: new Date('1985-01-01'), max: new Date('2027-06-01'), noInvalidDate: true }),
  from: fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
})
const sensible = events.filter(({ rule, first }) => isInEachMonth(rule, first))

test('sensible rules have the dates that the library gives when it follows them from their first day', async () => {
  await holds(
    fc.property(sensible, ({ rule, first, from }) => {
      const whole = (date: Date): number => Math.floor(date.getTime() / 60_000) * 60_000
      const window = { from: whole(from), until: whole(from) + 397 * 86_400_000 }
      const plain = new rrule.RRule(
        { ...rrule.RRule.parseString(rule), dtstart: new Date(whole(first)), until: new Date(window.until) },
        true,
      )
      assert.deepEqual(
        followRule({ rule, first: whole(first), until: Number.POSITIVE_INFINITY, window }),
        plain.between(new Date(window.from), new Date(window.until), true).map(Number),
      )
    }),
    { runs: 150 },
  )
})

test('each place in a list of starts counts as a candidate', () => {
  const places = (count: number): string =>
    `FREQ=DAILY;BYSETPOS=${Array.from({ length: count }, (_, index) => index + 1).join()}`
  const follow = (rrule: string) =>
    expandRule(
      { starts_local: '2026-01-01T10:00:00', timezone: 'UTC', rrule, exdates: [] },
      { from: localMs('2026-01-01T00:00:00'), until: localMs('2027-01-01T00:00:00') },
    )
  assert.equal(follow(places(2)).length, 365)
  assert.throws(() => follow(places(100)), RuleFault)
})
