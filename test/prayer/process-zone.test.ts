// adhan reads the day in the time zone of the process: the results must not depend on the server's zone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../..', import.meta.url))
const zones = ['UTC', 'America/New_York', 'Pacific/Auckland'] as const

const program = `
import { calculateDays } from './src/prayer/calculation/calculate-days.ts'
import { dayNumberOf } from './src/base/civil-date.ts'
import { expandRule, localMs } from './src/events/expand-rule.ts'
import { testParameters } from './test/support/masjid-parameters.ts'
const masjids = [
  testParameters({ latitude: 35.775, longitude: -78.6336, timezone: 'America/New_York', calculation_method: 'NorthAmerica' }),
  testParameters({ latitude: -36.85, longitude: 174.76, timezone: 'Pacific/Auckland', calculation_method: 'UmmAlQura' }),
  testParameters({ latitude: 60.15, longitude: -1.15, timezone: 'Europe/London', calculation_method: 'MoonsightingCommittee' }),
  testParameters({ latitude: 68.36, longitude: -133.72, timezone: 'America/Inuvik', calculation_method: 'MuslimWorldLeague' }),
  testParameters({ latitude: 1.87, longitude: -157.4, timezone: 'Pacific/Kiritimati', calculation_method: 'Karachi' }),
]
const times = masjids.map(masjid => calculateDays(masjid, { first: dayNumberOf('2026-01-01'), days: 400 }))
const starts = expandRule(
  { starts_local: '2026-01-02 02:30:00', timezone: 'America/New_York', rrule: 'FREQ=WEEKLY;BYDAY=FR,SU;UNTIL=20261231T045959Z', exdates: ['2026-03-08 02:30:00'] },
  { from: localMs('2026-01-01T00:00:00'), until: localMs('2027-01-01T00:00:00') },
)
console.log(JSON.stringify({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, times, starts }))
`

const runIn = (zone: string): { zone: string; times: unknown; starts: string[] } => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', program],
    {
      cwd: project,
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

test('the same times and occurrences in three process time zones', () => {
  const [utc, ...others] = zones.map(runIn)
  assert.equal(utc?.starts.includes('2026-03-08T02:30:00'), false)
  assert.ok((utc?.starts.length ?? 0) > 100)
  for (const [index, other] of others.entries()) {
    assert.equal(other.zone, zones[index + 1])
    assert.deepEqual(other.times, utc?.times)
    assert.deepEqual(other.starts, utc?.starts)
  }
})
