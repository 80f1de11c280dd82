// A number of masjids → how long searching among them takes on one connection, by kind of search, and what the dearest reads.
import type pg from 'pg'
import { createLogger } from '../../src/base/log.ts'
import { migrate } from '../../src/db/migrate.ts'
import { startBenchCluster } from '../data/cluster.ts'
import { connect } from '../data/connect.ts'
import { createDatabase, LOAD_SETTINGS } from '../data/load.ts'
import { manyMasjids } from '../data/many-masjids.ts'
import { searchWords } from '../data/search-words.ts'
import { readSearches, type Search } from './searches.ts'

const SEARCH = `select slug, name, city from up_masjids_search($1, $2, $3) limit 21`

const valuesOf = ({ text, latitude, longitude }: Search): readonly unknown[] => [text, latitude, longitude]

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const timed = async (client: pg.Client, search: Search): Promise<{ search: Search; milliseconds: number }> => {
  const since = performance.now()
  await client.query({ name: 'search', text: SEARCH, values: [...valuesOf(search)] })
  return { search, milliseconds: performance.now() - since }
}

/** The first round fills caches and plans. */
const ROUNDS = 3

const measure = async (client: pg.Client): Promise<void> => {
  const searches = await readSearches(client)
  const taken: { search: Search; milliseconds: number }[] = []
  for (let round = 0; round < ROUNDS; round++)
    for (const search of searches) {
      const one = await timed(client, search)
      if (round > 0) taken.push(one)
    }
  for (const kind of ['all', ...new Set(searches.map(search => search.kind))]) {
    const sorted = taken
      .filter(({ search }) => kind === 'all' || search.kind === kind)
      .map(({ milliseconds }) => milliseconds)
      .sort((a, b) => a - b)
    const [p50, p95, most] = [0.5, 0.95, 1].map(share => quantile(sorted, share).toFixed(1))
    console.log(
      `${kind.padEnd(16)} ${String(sorted.length).padStart(5)} searches, p50 ${p50} ms, p95 ${p95} ms, most ${most} ms`,
    )
  }
  const dearest = taken.toSorted((a, b) => b.milliseconds - a.milliseconds)[0]
  if (dearest === undefined) return
  console.log(`\nThe dearest: ${JSON.stringify(dearest.search)}`)
  const { rows } = await client.query(`explain (analyze, buffers) ${SEARCH}`, [...valuesOf(dearest.search)])
  for (const row of rows) console.log(row['QUERY PLAN'])
}

const masjids = Number(process.argv[2] ?? 1_000_000)
const cluster = await startBenchCluster(undefined)
try {
  const database = await createDatabase(cluster.connection, 'search')
  await migrate(database, createLogger('warn'))
  const client = await connect(database)
  await client.query(LOAD_SETTINGS)
  for (const { title, statement } of [manyMasjids(masjids), searchWords]) {
    console.log(title)
    await client.query(statement)
  }
  await client.query('vacuum analyze')
  await measure(client)
  await client.end()
} finally {
  await cluster.stop()
}
