// Options → a running PostgreSQL with the dataset, and the apps and keys the scenarios use.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Connection } from '../../src/db/connection.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../report/progress.ts'
import { productionEnvironment } from '../servers/minaret.ts'
import { createTenants, type Tenants } from '../servers/tenants.ts'
import { type BenchCluster, startBenchCluster } from './cluster.ts'
import { createDatabase, loadDatabase } from './load.ts'
import { fullSizes, MASJIDS_PER_CITY, type Sizes } from './tables.ts'

export interface Prepared {
  readonly cluster: BenchCluster
  readonly sizes: Sizes
  readonly database: Connection
  readonly environment: Readonly<Record<string, string>>
  readonly tenants: Tenants
}

const outFolder = new URL('../out/', import.meta.url).pathname

/** Whole cities, so that a page of masjids in a city is always full. */
export const sizesFor = (factor: number): Sizes => ({
  ...fullSizes,
  masjids: Math.max(1, Math.round((fullSizes.masjids * factor) / MASJIDS_PER_CITY)) * MASJIDS_PER_CITY,
})

const load = async (server: Connection, sizes: Sizes, progress: Progress): Promise<Tenants> => {
  const database = await createDatabase(server, 'bench')
  await loadDatabase(database, sizes, progress)
  progress.step('registering apps')
  return createTenants(productionEnvironment(database))
}

/** A kept database is reused if it has the requested size. */
const findKept = (note: string, sizes: Sizes): Tenants | undefined => {
  if (!existsSync(note)) return undefined
  const kept = JSON.parse(readFileSync(note, 'utf8'))
  return JSON.stringify(kept.sizes) === JSON.stringify(sizes) ? kept.tenants : undefined
}

export const prepareDatabase = async (options: Options, progress: Progress): Promise<Prepared> => {
  const sizes = sizesFor(options.size)
  const folder = options.keep ? `${outFolder}database` : undefined
  progress.step('starting PostgreSQL')
  const cluster = await startBenchCluster(folder)
  try {
    const note = `${folder}/loaded.json`
    const kept = folder === undefined ? undefined : findKept(note, sizes)
    const tenants = kept ?? (await load(cluster.connection, sizes, progress))
    if (folder !== undefined) writeFileSync(note, JSON.stringify({ sizes, tenants }))
    const database = { ...cluster.connection, database: 'bench' }
    progress.done(
      `${kept === undefined ? 'loaded' : 'found'} ${sizes.masjids} masjids, ${sizes.masjids * sizes.donationsPerMasjid} donations`,
    )
    return { cluster, sizes, database, environment: productionEnvironment(database), tenants }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}
