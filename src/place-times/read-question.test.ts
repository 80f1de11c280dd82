import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../base/fault.ts'
import { methodNames } from '../prayer/calculation/methods.ts'
import type { RawQuestion } from './read-days.ts'
import { readQuestion } from './read-question.ts'

const oslo = { latitude: '59.91', longitude: '10.75' }

const refusalOf = (raw: RawQuestion): string => {
  try {
    readQuestion(raw)
  } catch (error) {
    assert.ok(error instanceof Fault)
    assert.deepEqual([error.code, error.status], ['bad_request', 400])
    return error.message
  }
  return ''
}

test('everything that may be left out has its usual value', () => {
  const read = readQuestion(oslo)
  assert.deepEqual(
    [read.latitude, read.longitude, read.range, read.timeZone, read.method, read.madhab, read.highLatitudeRule],
    [59.91, 10.75, undefined, undefined, undefined, 'shafi', null],
  )
  assert.deepEqual([read.elevation, read.adjustments, read.fajr_angle], [0, {}, null])
})

test('text of a URL and values of a query mean the same', () => {
  const text = readQuestion({ ...oslo, elevation: '300', adjustments: 'fajr:2,isha:-3', from: '2026-01-01' })
  const values = { latitude: 59.91, longitude: 10.75, elevation: 300, adjustments: { fajr: 2, isha: -3 } }
  assert.deepEqual(text, readQuestion({ ...values, from: '2026-01-01', to: '2026-01-01', method: null }))
})

test('a number is a number: nothing, no infinity, no exponent, no other notation, no blank', () => {
  const wrong = ['', ' ', 'NaN', 'Infinity', '-Infinity', '1e1', '0x10', '1_0', '٥', '59,91', ' 59', '90.001', '-91']
  for (const latitude of [...wrong, Number.NaN, Number.POSITIVE_INFINITY, true, {}, '1'.repeat(10_000)])
    assert.match(refusalOf({ ...oslo, latitude }), /^"latitude" is not a number of degrees from -90 to 90\.$/)
  assert.match(refusalOf({ latitude: '1' }), /^"longitude" is missing/)
  assert.match(refusalOf({ ...oslo, longitude: '180.1' }), /^"longitude"/)
  assert.equal(Object.is(readQuestion({ ...oslo, latitude: '-0' }).latitude, 0), true)
  for (const latitude of [90, -90]) assert.equal(readQuestion({ ...oslo, latitude }).latitude, latitude)
})

test('dates: days of the calendar from 1900 to 2173, in order, at most 400', () => {
  for (const date of ['2026-02-30', '2027-02-29', '1900-02-29', '26-01-01', '', '2026-1-1', '0000-00-00', 20260101])
    assert.match(refusalOf({ ...oslo, date }), /^"date" is not a date such as/)
  for (const date of ['1899-12-31', '2174-01-01'])
    assert.match(refusalOf({ ...oslo, date }), /^"date" is not a day from/)
  for (const date of ['1900-01-01', '2173-12-31', '2028-02-29']) assert.ok(readQuestion({ ...oslo, date }).range)
  assert.match(refusalOf({ ...oslo, to: '2026-01-01' }), /^"from" is missing/)
  assert.match(refusalOf({ ...oslo, date: '2026-01-01', to: '2026-01-01' }), /^"date" is a single day/)
  assert.match(refusalOf({ ...oslo, from: '2026-01-02', to: '2026-01-01' }), /^"to" is before "from"/)
  assert.match(refusalOf({ ...oslo, from: '2026-01-01', to: '2027-02-05' }), /^"to" is more than 400 days/)
  const { range } = readQuestion({ ...oslo, from: '2026-01-01', to: '2027-02-04' })
  assert.equal((range?.to ?? 0) - (range?.from ?? 0) + 1, 400)
})

test('names: methods, schools and rules as the tables have them, zones as the runtime has them', () => {
  for (const method of methodNames)
    assert.equal(
      readQuestion({ ...oslo, method, ...(method === 'Other' ? { fajr_angle: 18, isha_angle: 17 } : {}) }).method,
      method,
    )
  assert.ok(methodNames.length >= 26)
  for (const method of ['MWL', 'muslimworldleague', '', '__proto__', 'constructor'])
    assert.match(refusalOf({ ...oslo, method }), /^"method" is none of Algeria, /)
  assert.match(refusalOf({ ...oslo, madhab: 'Hanafi' }), /^"madhab" is none of shafi, hanafi\.$/)
  assert.match(refusalOf({ ...oslo, high_latitude_rule: 'seventh' }), /^"high_latitude_rule" is none of middle_of/)
  for (const time_zone of ['Europe/Atlantis', '+03:00', '', 'x'.repeat(5000), 5])
    assert.match(refusalOf({ ...oslo, time_zone }), /^"time_zone" is not an IANA zone/)
  assert.equal(readQuestion({ ...oslo, time_zone: 'Asia/Kolkata' }).timeZone, 'Asia/Kolkata')
})

test('adjustments: whole minutes by the name of a prayer', () => {
  for (const adjustments of [
    'fajr',
    'fajr:',
    'fajr:2:3',
    'fajr:1.5',
    'fajr:100',
    'zuhr:1',
    'fajr:1,',
    [],
    '{}',
    { fajr: 'x' },
  ])
    assert.match(refusalOf({ ...oslo, adjustments }), /^"adjustments" is /)
  assert.match(refusalOf({ ...oslo, adjustments: `${'fajr:1,'.repeat(100)}` }), /^"adjustments"/)
})

test('angles go with the method Other, and the method Other with angles', () => {
  assert.match(refusalOf({ ...oslo, fajr_angle: 18 }), /^"fajr_angle" goes with the method Other only/)
  assert.match(refusalOf({ ...oslo, method: 'Other' }), /^"fajr_angle" is missing/)
  const other = { ...oslo, method: 'Other', fajr_angle: 18 }
  assert.match(refusalOf(other), /^"isha_angle" or "isha_minutes"/)
  assert.match(refusalOf({ ...other, isha_angle: 17, isha_minutes: 90 }), /^"isha_angle" or "isha_minutes"/)
  assert.match(refusalOf({ ...other, isha_minutes: 90.5 }), /^"isha_minutes" is not a whole number/)
  assert.match(refusalOf({ ...other, isha_angle: 23 }), /^"isha_angle" is not a number of degrees from 9 to 22/)
})

test('a parameter that is not one, or given twice, is named; a long name is cut', () => {
  assert.match(refusalOf({ ...oslo, lat: '1' }), /^"lat" is no parameter here\.$/)
  assert.match(refusalOf({ ...oslo, latitude: ['1', '2'] }), /^"latitude" is given more than once\.$/)
  assert.ok(refusalOf({ ...oslo, ['x'.repeat(100_000)]: '1' }).length < 100)
  for (const name of ['__proto__', 'toString', 'hasOwnProperty'])
    assert.match(refusalOf(Object.assign(Object.create(null), oslo, JSON.parse(`{"${name}": 1}`))), / is no parameter/)
})
