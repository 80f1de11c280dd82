// Counting requests: the charts show what was recorded, whichever process counted, and no more is stored than needed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readKeyUsage, readQueries, readSeries, type UsagePoint } from '../../src/apps/read-usage.ts'
import { createUsage, type Usage } from '../../src/apps/usage.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createLogger } from '../../src/base/log.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()
const openUsage = (): Usage => createUsage({ database: database(), clock: systemClock, log: createLogger('silent') })

const total = (points: readonly UsagePoint[]) => ({
  requests: points.reduce((sum, point) => sum + point.requests, 0),
  errors: points.reduce((sum, point) => sum + point.errors, 0),
  rows: points.reduce((sum, point) => sum + point.rows, 0),
})

test('two processes count into the same sums', async () => {
  const { id: appId } = await makeApp(database())
  const { id: keyId } = await makeKey(database(), { appId })
  const [first, second] = [openUsage(), openUsage()]
  for (let round = 0; round < 10; round += 1) {
    first.record({ appId, keyId, outcome: 'answered', milliseconds: 3, rows: 5 })
    second.record({
      appId,
      outcome: 'refused',
      milliseconds: 1,
      rows: 0,
      query: '{ nothing }',
      reason: 'no such field',
    })
  }
  await Promise.all([first.close(), second.close()])
  for (const span of ['hour', 'day', 'month'] as const)
    assert.deepEqual(total(await readSeries(database(), { appId, span })), { requests: 20, errors: 10, rows: 50 }, span)
  const ofKey = await readSeries(database(), { appId, span: 'hour', keyId })
  assert.deepEqual(total(ofKey), { requests: 10, errors: 0, rows: 50 })
  assert.equal(ofKey.find(({ requests }) => requests > 0)?.median, 5)
  const keys = await readKeyUsage(database(), { appId, span: 'day' })
  assert.deepEqual(
    keys.map(({ keyId: id, requests }) => [id, requests]).sort(),
    [
      [keyId, 10],
      [null, 10],
    ].sort(),
  )
})

test('the series is evenly spaced, without gaps, and ends now', async () => {
  const { id: appId } = await makeApp(database())
  const lengths = { hour: 30, day: 24, month: 30 }
  for (const [span, length] of Object.entries(lengths) as ['hour' | 'day' | 'month', number][]) {
    const series = await readSeries(database(), { appId, span })
    assert.equal(series.length, length, span)
    assert.ok(Date.now() - Number(series.at(-1)?.at) <= (span === 'month' ? 86_400_000 : 3_600_000))
  }
})

test('a flood of refused queries becomes a few rows, and the slowest are kept', async () => {
  const { id: appId } = await makeApp(database())
  const usage = openUsage()
  for (let round = 0; round < 1000; round += 1) {
    usage.record({
      appId,
      outcome: 'refused',
      milliseconds: 1,
      rows: 0,
      query: 'x'.repeat(5000),
      reason: 'y'.repeat(900),
    })
    usage.record({ appId, outcome: 'answered', milliseconds: 300 + round, rows: 1, query: `query ${round}` })
  }
  await usage.close()
  const lines = await readQueries(database(), appId)
  assert.deepEqual(
    lines.filter(({ outcome }) => outcome === 'slow').map(({ milliseconds }) => milliseconds),
    [1299, 1298, 1297, 1296, 1295],
  )
  assert.equal(lines.filter(({ outcome }) => outcome === 'refused').length, 5)
})

test('what is kept of a query says what was asked for, not about whom', async () => {
  const { id: appId } = await makeApp(database())
  const usage = openUsage()
  const query = '{ ua_members(where: {email: {_eq: "amina@example.org"}, age: {_gt: 17}}, limit: 5) { id } } # amina'
  usage.record({ appId, outcome: 'refused', milliseconds: 1, rows: 0, query, reason: 'missing-scope' })
  usage.record({ appId, outcome: 'answered', milliseconds: 900, rows: 1, query })
  await usage.close()
  const lines = await readQueries(database(), appId)
  assert.deepEqual(
    lines.map(line => line.query),
    Array(2).fill('{ ua_members(where: {email: {_eq: "…"}, age: {_gt: …}}, limit: 5) { id } }'),
  )
})

test('a deleted app or key, or an unreachable database, does no harm', async () => {
  const { id: appId } = await makeApp(database())
  const usage = openUsage()
  usage.record({ appId: randomUUID(), outcome: 'answered', milliseconds: 1, rows: 1 })
  usage.record({ appId, keyId: randomUUID(), outcome: 'answered', milliseconds: 1, rows: 1 })
  await usage.close()
  assert.equal(total(await readSeries(database(), { appId, span: 'hour' })).requests, 1)
  const broken = createUsage({
    database: { ...database(), run: () => Promise.reject(new Error('away')) },
    clock: systemClock,
    log: createLogger('silent'),
  })
  broken.record({ appId, outcome: 'answered', milliseconds: 1, rows: 1 })
  await broken.close()
})

test('several minutes of one hour add up in one row', async () => {
  const { id: appId } = await makeApp(database())
  let now = new Date('2026-01-01T10:00:30Z')
  const usage = createUsage({ database: database(), clock: { now: () => now }, log: createLogger('silent') })
  for (const minute of ['10:00:30', '10:01:30', '10:59:59', '11:00:00']) {
    now = new Date(`2026-01-01T${minute}Z`)
    usage.record({ appId, outcome: 'answered', milliseconds: 1, rows: 1 })
  }
  await usage.close()
  const rows = await database().query(
    sql`select requests, latency[1] as quick from minaret.usage_hours where app_id = ${appId} order by hour`,
  )
  assert.deepEqual(rows, [
    { requests: 3, quick: 3 },
    { requests: 1, quick: 1 },
  ])
})
