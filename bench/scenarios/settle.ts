// The first start on the dataset calculates prayer times and occurrences. Times this, so that it is done before other scenarios.
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { openDatabase } from '../../src/db/database.ts'
import { adoptStrays, findWorkDue } from '../../src/prayer/job/run-job.ts'
import { type Bench, withServers } from '../bench-frame.ts'
import { connect } from '../data/connect.ts'
import { peakMemoryOf } from '../measure/process-usage.ts'
import type { Reading } from '../report/bars.ts'
import { startMinaret } from '../servers/minaret.ts'

const POLL_MS = 500
const DEADLINE_S = 600

/** Seconds until all times are calculated, and until all occurrences exist as well: times come first. */
const untilSettled = async (bench: Bench): Promise<{ times: number; all: number }> => {
  const database = openDatabase(bench.database, { poolSize: 1, log: pino({ level: 'silent' }) })
  const startedAt = performance.now()
  const seconds = (): number => (performance.now() - startedAt) / 1000
  let times: number | undefined
  try {
    // The rows were loaded without triggers. Until the service has found them, nothing would seem due and nothing would be timed.
    await adoptStrays(database)
    for (;;) {
      const due = await findWorkDue(database, new Date())
      if (due.masjids === 0) times ??= seconds()
      if (due.masjids + due.events === 0) return { times: times ?? 0, all: seconds() }
      if (seconds() > DEADLINE_S) throw new Error('The prayer times were not calculated within ten minutes.')
      bench.progress.step('waiting for prayer times and occurrences')
      await delay(POLL_MS)
    }
  } finally {
    await database.close()
  }
}

/** Enough rows to take seconds. */
const SAMPLE_ROWS = 200_000

/** How many seconds PostgreSQL takes to insert the calculated times once more by itself: machines differ, this ratio does not. */
const insertedAlone = async (bench: Bench): Promise<number> => {
  const client = await connect(bench.database)
  try {
    await client.query(`
      create table bench_times (like pc_calculated_times including all);
      alter table bench_times add foreign key (masjid_id) references up_masjids on delete cascade`)
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from pc_calculated_times')
    const began = performance.now()
    const { rowCount } = await client.query(
      `insert into bench_times select * from pc_calculated_times limit ${SAMPLE_ROWS}`,
    )
    const seconds = (performance.now() - began) / 1000
    await client.query('drop table bench_times')
    return (seconds * (rows[0]?.count ?? 0)) / (rowCount || 1)
  } finally {
    await client.end()
  }
}

/** Nothing to report if a kept database was settled before. */
export const settle = async (bench: Bench): Promise<readonly Reading[]> =>
  withServers(async started => {
    const minaret = await started(startMinaret(bench.environment))
    const { times, all } = await untilSettled(bench)
    if (all < 1) return []
    const title = `Calculated times of ${bench.sizes.masjids.toLocaleString('en-US')} masjids for 400 days, and occurrences`
    const parts = `${times.toFixed(1)} s for times, ${(all - times).toFixed(1)} s for occurrences`
    bench.progress.done(`${title}: ${all.toFixed(1)} s (${parts})`)
    const note = `${parts}; ${Math.round(peakMemoryOf(minaret.pid))} MiB at the peak`
    const alone = await insertedAlone(bench)
    bench.progress.done(`PostgreSQL inserts the same times by itself in ${alone.toFixed(1)} s`)
    return [
      { name: 'prayer.seconds', title, value: all, unit: 's', note },
      {
        name: 'prayer.fill',
        title: 'The same, against PostgreSQL inserting the times by itself',
        value: all / alone,
        unit: '×',
        note: `${alone.toFixed(1)} s by itself`,
      },
    ]
  })
