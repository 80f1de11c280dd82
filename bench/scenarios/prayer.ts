// The same page of a city with and without the prayer times job running: requests take priority.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { advisoryLocks } from '../../src/db/advisory-locks.ts'
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { connect } from '../data/connect.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Contender } from '../measure/rounds.ts'
import { median } from '../measure/statistics.ts'
import { isChosen } from '../options.ts'
import { NOTHING_CALCULATED, type Reading } from '../report/bars.ts'
import { startMinaret } from '../servers/minaret.ts'
import { ANSWER_START, randomly } from './graphql-requests.ts'
import { cities, LIST_QUERY } from './questions.ts'

const POLL_MS = 50
const DEADLINE_MS = 60_000

/** The job yields to requests, so it only gets to its next masjids now and then. */
const leastMs = ({ options }: Bench): number => (options.quick ? 2500 : 5000)

/** Everything must be calculated again, as at the first start. */
const MAKE_DUE = `
  truncate pc_calculated_times;
  update calculation_states set filled_revision = null`

/** The job finds nothing more to do and ends after its current chunk. */
const MAKE_DONE = `
  update calculation_states set filled_revision = revision, filled_until = current_date + 1000, engine_version = 'none';
  update occurrence_states set filled_revision = revision, filled_until = current_date + 1000`

const isRunning = async (client: pg.Client): Promise<boolean> => {
  const { rowCount } = await client.query(`select from pg_locks where locktype = 'advisory' and objid = $1`, [
    advisoryLocks.prayerJob,
  ])
  return (rowCount ?? 0) > 0
}

const untilRunning = async (client: pg.Client, running: boolean): Promise<void> => {
  const deadline = Date.now() + DEADLINE_MS
  while ((await isRunning(client)) !== running) {
    if (Date.now() > deadline) throw new Error(`The prayer job did not ${running ? 'begin' : 'end'}.`)
    await delay(POLL_MS)
  }
}

const countCalculated = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from calculation_states where filled_revision = revision',
  )
  return rows[0]?.count ?? 0
}

/** A round that outlasted the job would show nothing. */
const besideJob = (plain: Contender, client: pg.Client, calculated: number[]): Contender => ({
  name: 'Minaret',
  run: async milliseconds => {
    await client.query(MAKE_DUE)
    await untilRunning(client, true)
    const sample = await plain.run(milliseconds)
    const running = await isRunning(client)
    if (!running) throw new Error('The prayer job ended before its round did: choose a greater --size.')
    calculated.push(await countCalculated(client))
    return sample
  },
})

const withoutJob = (plain: Contender, client: pg.Client): Contender => ({
  name: NOTHING_CALCULATED,
  run: async milliseconds => {
    await client.query(MAKE_DONE)
    await untilRunning(client, false)
    return plain.run(milliseconds)
  },
})

/** The first round is the warm-up. In a single round the job may not write anything, but over all rounds it must. */
const calculatedBeside = ([, ...rounds]: readonly number[]): readonly Reading[] => {
  if (rounds.length === 0) return []
  if (rounds.every(count => count === 0))
    throw new Error('The prayer job calculated nothing in any round: choose more --seconds.')
  const title = 'Masjids calculated in a round beside the list'
  return [{ name: 'prayer.beside-calculated', title, value: median(rounds), unit: 'masjids' }]
}

/** Leaves the times uncalculated, so it runs after every scenario that reads them. */
export const prayerGroup: Group = {
  name: 'prayer',
  run: async bench => {
    if (!isChosen('prayer', bench.options)) return nothingFound
    return withServers(started => measureBeside(bench, started(startMinaret(bench.environment))))
  },
}

const measureBeside = async (bench: Bench, starting: ReturnType<typeof startMinaret>) => {
  const server = await starting
  const client = await connect(bench.database)
  try {
    const asked = {
      path: '/v1/graphql',
      query: LIST_QUERY,
      variables: cities(bench.sizes),
      credential: bench.tenants.key,
    }
    const source = randomly(asked)
    const short = httpContender(bench.machinery, { name: '', server, source, bodyStart: ANSWER_START })
    const plain = { ...short, run: (milliseconds: number) => short.run(Math.max(milliseconds, leastMs(bench))) }
    const title = 'The list while prayer times are calculated'
    const calculated: number[] = []
    const contenders = [besideJob(plain, client, calculated), withoutJob(plain, client)]
    const results = await measureChosen(bench, [{ name: 'prayer.beside', title, contenders }])
    await client.query(MAKE_DUE)
    return { results, readings: calculatedBeside(calculated) }
  } finally {
    await client.end()
  }
}
