import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateOf, dayNumberOf } from '../../base/civil-date.ts'
import { type FitInput, fitRules } from './fit-rules.ts'

const START = '2027-01-01'
const dates = Array.from({ length: 365 }, (_, index) => dateOf(dayNumberOf(START) + index))
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
/** A Fajr that moves by a minute or two a day. */
const adhan = (date: string): number =>
  330 + Math.round(90 * Math.cos(((dayNumberOf(date) - dayNumberOf(START)) / 365) * 2 * Math.PI))
const isDaylight = (date: string): boolean => date >= '2027-03-28' && date < '2027-10-31'

const offer = (iqamah: (date: string, index: number) => string) => {
  const entries = dates.map((date, index) => ({
    date,
    prayer: 'fajr' as const,
    session: 1,
    iqamah: iqamah(date, index),
  }))
  const input: FitInput = { entries, adhanOf: date => clock(adhan(date)), isDaylight }
  const [only] = fitRules(input)
  return { rules: only?.rules.map(({ prayer: _, session: __, ...rule }) => rule), exceptions: only?.exceptions }
}

test('a fixed time, and one for each half of the year', () => {
  assert.deepEqual(
    offer(() => '06:30'),
    { rules: [{ rule: 'fixed', fixed_time: '06:30' }], exceptions: 0 },
  )
  assert.deepEqual(
    offer(date => (isDaylight(date) ? '05:30' : '06:30')),
    {
      rules: [
        { rule: 'fixed', fixed_time: '05:30', season: 'daylight_time' },
        { rule: 'fixed', fixed_time: '06:30', season: 'standard_time' },
      ],
      exceptions: 0,
    },
  )
})

test('minutes after the adhan, rounded up, with exceptions', () => {
  assert.deepEqual(
    offer(date => clock(adhan(date) + 20)),
    { rules: [{ rule: 'offset', offset_minutes: 20 }], exceptions: 0 },
  )
  const rounded = (date: string): number => Math.ceil((adhan(date) + 20) / 5) * 5
  assert.deepEqual(
    offer((date, index) => (index % 100 === 7 ? '07:59' : clock(rounded(date)))),
    {
      rules: [{ rule: 'rounded_offset', offset_minutes: 20, round_to: 5 }],
      exceptions: 4,
    },
  )
})

test('20 minutes after the adhan, rounded up to 5, changed on Fridays', () => {
  const friday = (date: string): string => {
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7
    return dateOf(dayNumberOf(date) - ((weekday - 5 + 7) % 7))
  }
  const found = offer(date => clock(Math.max(Math.ceil((adhan(friday(date)) + 20) / 5) * 5, adhan(date))))
  assert.deepEqual(found, {
    rules: [{ rule: 'rounded_offset', offset_minutes: 20, round_to: 5, changes_on: 5 }],
    exceptions: 0,
  })
})

test('a few stretches of fixed times; the last goes on', () => {
  const { rules, exceptions } = offer(date => (date < '2027-05-01' ? '06:30' : date < '2027-09-01' ? '05:00' : '06:00'))
  assert.equal(exceptions, 0)
  assert.deepEqual(
    rules?.map(({ from, until }) => [from, until]),
    [
      ['2027-01-01', '2027-04-30'],
      ['2027-05-01', '2027-08-31'],
      ['2027-09-01', undefined],
    ],
  )
})

test('nothing, where nothing fits', () => {
  assert.deepEqual(
    offer((_, index) => clock(300 + ((index * 37) % 90))),
    { rules: [], exceptions: 0 },
  )
})
