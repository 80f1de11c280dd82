// The same pages of the same cities with 1, 10 and 100 times the rows: the same rows are read, so the cost should be the same.
import { advisoryLocks } from '../../src/db/advisory-locks.ts'
import type { Connection } from '../../src/db/connection.ts'
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { connect } from '../data/connect.ts'
import { createDatabase, loadDatabase } from '../data/load.ts'
import { MASJIDS_PER_CITY, type Sizes } from '../data/tables.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Contender, Figures, Sample } from '../measure/rounds.ts'
import { median, medianInterval } from '../measure/statistics.ts'
import { isChosen } from '../options.ts'
import { productionEnvironment, startMinaret } from '../servers/minaret.ts'
import { createTenants } from '../servers/tenants.ts'
import { ANSWER_START, randomly } from './graphql-requests.ts'
import { cities, LIST_QUERY } from './questions.ts'

const factorsFor = ({ options }: Bench): readonly number[] => (options.quick ? [1, 100] : [1, 10, 100])

const sizesAt = ({ sizes }: Bench, factor: number): Sizes => ({
  ...sizes,
  masjids: Math.max(2, Math.round(sizes.masjids / 10 / MASJIDS_PER_CITY)) * MASJIDS_PER_CITY * factor,
  membersPerMasjid: 0,
  donationsPerMasjid: 0,
})

/** Prayer times of 50,000 masjids are not the point here: taking the job's lock keeps it from running. */
const holdPrayerJob = async (database: Connection): Promise<{ stop(): Promise<void> }> => {
  const client = await connect(database)
  await client.query('select pg_advisory_lock($1)', [advisoryLocks.prayerJob])
  return { stop: () => client.end() }
}

type Started = <S extends { stop(): Promise<void> }>(server: Promise<S>) => Promise<S>

const contenderAt = async (bench: Bench, started: Started, factor: number): Promise<Contender> => {
  const sizes = sizesAt(bench, factor)
  bench.progress.step(`growth: loading ${sizes.masjids} masjids`)
  const database = await createDatabase(bench.cluster.connection, `bench_growth_${factor}`)
  await loadDatabase(database, sizes, bench.progress)
  await started(holdPrayerJob(database))
  const environment = productionEnvironment(database)
  const { key } = await createTenants(environment)
  const server = await started(startMinaret(environment))
  const asked = { path: '/v1/graphql', query: LIST_QUERY, variables: cities(sizesAt(bench, 1)), credential: key }
  const name = `${sizes.masjids.toLocaleString('en-US')} masjids`
  return httpContender(bench.machinery, { name, server, source: randomly(asked), bodyStart: ANSWER_START })
}

const costOf = (sample: Sample | undefined): number => (sample?.serverCpu ?? 0) + (sample?.databaseCpu ?? 0)

const growthOfCost = (small: Figures | undefined, large: Figures | undefined): readonly number[] =>
  (large?.rounds ?? []).map((sample, index) => costOf(sample) / costOf(small?.rounds[index]))

export const growthGroup: Group = {
  name: 'growth',
  run: async bench => {
    if (!isChosen('growth', bench.options)) return nothingFound
    return withServers(async started => {
      const contenders: Contender[] = []
      for (const factor of factorsFor(bench)) contenders.push(await contenderAt(bench, started, factor))
      const title = `The list at ${factorsFor(bench).join(', ')} times the rows`
      const results = await measureChosen(bench, [{ name: 'growth', title, contenders }])
      const figures = results[0]?.figures ?? []
      const growth = growthOfCost(figures[0], figures.at(-1))
      const reading = { title: 'CPU of the list at 100 times the rows, against 1 time', unit: '×' }
      const measured = { value: median(growth), interval: medianInterval(growth) }
      return { results, readings: [{ name: 'growth.hundredfold', ...reading, ...measured }] }
    })
  },
}
