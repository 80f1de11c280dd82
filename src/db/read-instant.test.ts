import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { readInstant } from './read-instant.ts'

const TIMESTAMPTZ = 1184
const byDriver = pg.types.getTypeParser(TIMESTAMPTZ, 'text')

test('instants in UTC are read as the driver reads them', () => {
  const first = Date.UTC(1850, 0, 1, 23, 59, 59)
  for (let count = 0; count < 5000; count += 1) {
    const text = `${new Date(first + count * 3_333_333_000).toISOString().slice(0, 19).replace('T', ' ')}+00`
    assert.deepEqual(readInstant(text), byDriver(text), text)
  }
})

test('whatever else it may write is left to the driver', () => {
  for (const text of [
    '2026-11-19 10:00:00.123456+00',
    '2026-11-19 10:00:00+01',
    '2026-11-19 10:00:00+05:30',
    '2026-11-19 10:00:00-00:44:30',
    '0044-03-15 10:00:00+00 BC',
    '0044-03-15 10:00:00+00',
    '12026-11-19 10:00:00+00',
    'infinity',
    '-infinity',
    '',
  ])
    assert.equal(readInstant(text), undefined, text)
})
