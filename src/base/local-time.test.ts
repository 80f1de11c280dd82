import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf, localDateAt, localTimeAt } from './local-time.ts'

const iso = (local: string, zone: string): string | undefined => instantOf(local, zone)?.toISOString()

test('a local time is read in its zone, in summer and in winter', () => {
  assert.equal(iso('2026-01-10T13:30', 'Europe/London'), '2026-01-10T13:30:00.000Z')
  assert.equal(iso('2026-07-10T13:30', 'Europe/London'), '2026-07-10T12:30:00.000Z')
  assert.equal(iso('2026-07-10T13:30:00', 'Asia/Kolkata'), '2026-07-10T08:00:00.000Z')
})

test('around the change of clocks', () => {
  assert.equal(iso('2026-03-29T00:59', 'Europe/London'), '2026-03-29T00:59:00.000Z')
  assert.equal(iso('2026-03-29T01:30', 'Europe/London'), '2026-03-29T01:30:00.000Z', 'it does not exist')
  assert.equal(iso('2026-03-29T02:00', 'Europe/London'), '2026-03-29T01:00:00.000Z')
  assert.equal(iso('2026-10-25T01:30', 'Europe/London'), '2026-10-25T00:30:00.000Z', 'the first of two')
  assert.equal(iso('2026-10-25T02:00', 'Europe/London'), '2026-10-25T02:00:00.000Z')
  assert.equal(iso('2026-03-08T03:00', 'America/New_York'), '2026-03-08T07:00:00.000Z')
  assert.equal(iso('2026-10-04T02:30', 'Australia/Lord_Howe'), '2026-10-03T15:30:00.000Z')
})

test('what is no local time is refused', () => {
  for (const text of ['', 'soon', '2026-02-30T10:00', '2026-01-01', '2026-01-01T25:00', '2026-01-01T10:00Z'])
    assert.equal(instantOf(text, 'UTC'), undefined, text)
})

test('an instant is shown on the clock and calendar of its zone', () => {
  const moment = new Date('2026-07-10T23:30:00Z')
  assert.equal(localTimeAt(moment, 'Europe/London'), '2026-07-11T00:30:00')
  assert.equal(localDateAt(moment, 'America/New_York'), '2026-07-10')
})
