import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dateOf, dayNumberOf, daysBetween, isDate } from './civil-date.ts'

const refused = { code: 'bad_request', status: 400 }

test('dates and day numbers', () => {
  assert.equal(dayNumberOf('1970-01-01'), 0)
  assert.equal(dateOf(dayNumberOf('2026-02-18')), '2026-02-18')
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
  assert.equal(dateOf(dayNumberOf('0001-01-01')), '0001-01-01')
  assert.ok(Number.isNaN(dayNumberOf('no date')))
})

test('every day of the calendar has the text that the runtime gives it', () => {
  const [first, last] = [dayNumberOf('0001-01-01'), dayNumberOf('9999-12-31')]
  const centuries = [
    first,
    dayNumberOf('1599-12-01'),
    dayNumberOf('1896-02-01'),
    dayNumberOf('2396-01-01'),
    last - 1000,
  ]
  const days = centuries.flatMap(day => Array.from({ length: 1001 }, (_, index) => day + index))
  for (let day = first; day <= last; day += 97) days.push(day)
  for (const day of days) assert.equal(dateOf(day), new Date(day * 86_400_000).toISOString().slice(0, 10))
  assert.equal(dateOf(20_000.75), dateOf(20_000))
})

test('there is no day before the year 1 and none after 9999', () => {
  for (const date of ['0000-12-31', '0000-01-01', '+010000-01-01'])
    assert.throws(() => dayNumberOf(date), refused, date)
  assert.throws(() => addDays('9999-12-31', 1), refused)
  assert.throws(() => addDays('0001-01-01', -1), refused)
  for (const day of [Number.NaN, Number.POSITIVE_INFINITY, 1e12]) assert.throws(() => dateOf(day), refused)
})

test('a date is a day that the calendar has', () => {
  for (const date of ['2026-02-28', '2028-02-29', '0001-01-01', '9999-12-31']) assert.ok(isDate(date), date)
  const others = [
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '0000-12-31',
    '10000-01-01',
    '2026-1-1',
    '',
    'today',
  ]
  for (const text of others) assert.ok(!isDate(text), text)
})

test('days are counted before the first of them', () => {
  assert.deepEqual(daysBetween(3, 5, 3), [3, 4, 5])
  assert.deepEqual(daysBetween(5, 3, 3), [])
  assert.throws(() => daysBetween(3, 6, 3), refused)
  for (const last of [Number.POSITIVE_INFINITY, Number.NaN]) assert.throws(() => daysBetween(0, last, 400), refused)
})
