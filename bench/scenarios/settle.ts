// The first start on the dataset calculates prayer times and occurrences; it is timed, and done before anything else is measured.
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { openDatabase } from '../../src/db/database.ts'
import { isWorkDue } from '../../src/prayer/job/run-job.ts'
import { type Bench, withServers } from '../bench-frame.ts'
import { peakMemoryOf } from '../measure/process-usage.ts'
import type { Reading } from '../report/bars.ts'
import { startMinaret } from '../servers/minaret.ts'

const POLL_MS = 500
const DEADLINE_MS = 600_000

const untilSettled = async (bench: Bench): Promise<void> => {
  const database = openDatabase(bench.database, { poolSize: 1, log: pino({ level: 'silent' }) })
  const deadline = Date.now() + DEADLINE_MS
  try {
    while (await isWorkDue(database, new Date())) {
      if (Date.now() > deadline) throw new Error('The prayer times were not calculated within ten minutes.')
      bench.progress.step('waiting for prayer times and occurrences')
      await delay(POLL_MS)
    }
  } finally {
    await database.close()
  }
}

/** Nothing to report when a kept database was settled before. */
export const settle = async (bench: Bench): Promise<readonly Reading[]> =>
  withServers(async started => {
    const minaret = await started(startMinaret(bench.environment))
    const startedAt = performance.now()
    await untilSettled(bench)
    const value = (performance.now() - startedAt) / 1000
    if (value < 1) return []
    const title = `Calculated times of ${bench.sizes.masjids.toLocaleString('en-US')} masjids for 400 days, and occurrences`
    bench.progress.done(`${title}: ${value.toFixed(1)} s`)
    const note = `${Math.round(peakMemoryOf(minaret.pid))} MiB at the peak`
    return [{ name: 'prayer.fill', title, value, unit: 's', note }]
  })
