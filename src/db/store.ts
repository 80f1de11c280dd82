// Where the data are → the database of this installation, embedded or external, and its secret.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { randomToken, type Secrets } from '../base/secrets.ts'
import type { Hold } from '../platform/hold.ts'
import { thisPlatform } from '../platform/this-platform.ts'
import { placeOf } from './await-database.ts'
import { type Connection, fromUrl, type UrlFile } from './connection.ts'
import { findCluster, startCluster } from './embedded/cluster.ts'
import { findHome } from './embedded/home.ts'
import { explainFileFault, StartFault } from './embedded/start-fault.ts'

/** Where the data are. */
export interface StoreSettings {
  readonly dataDir: string
  /** Unset: the embedded PostgreSQL in the folder. */
  readonly databaseUrl: string | undefined
  readonly databaseListenUrl: string | undefined
  /** The files that these are from, if they are. */
  readonly databaseUrlFile?: UrlFile | undefined
  readonly databaseListenUrlFile?: UrlFile | undefined
  readonly secret: string | undefined
  readonly previousSecret: string | undefined
}

export interface Store {
  /** Keeps its session, so that everything works over it. */
  readonly owner: Connection
  /** The same role through a pooler in transaction mode: for the statements of requests. */
  readonly pooled?: Connection | undefined
  readonly secret: string
  /** It, and the other one that is accepted while it is being replaced. */
  readonly secrets: Secrets
  close(): Promise<void>
}

/** What a command says about the database it works on. */
export interface BorrowedStore extends Store {
  readonly installation: string
}

const COMMAND = 'a command'
const COMMAND_PATIENCE_MS = 15_000

const prepareFolder = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  } catch (error) {
    throw explainFileFault(dataDir, error)
  }
}

/** In development the secret is generated once; in production the configuration has it. */
const keptSecret = (config: StoreSettings): string => {
  if (config.secret !== undefined) return config.secret
  const file = join(config.dataDir, 'secret')
  prepareFolder(config.dataDir)
  try {
    if (!existsSync(file)) writeFileSync(file, randomToken(), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw explainFileFault(config.dataDir, error)
  }
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw explainFileFault(config.dataDir, error)
  }
}

const keptSecrets = (config: StoreSettings): Pick<Store, 'secret' | 'secrets'> => {
  const secret = keptSecret(config)
  return { secret, secrets: config.previousSecret === undefined ? [secret] : [secret, config.previousSecret] }
}

/** A command holds the folder only briefly, so a service waits for it. */
const holdPatiently = async (dataDir: string, description: string): Promise<Hold> => {
  const deadline = Date.now() + COMMAND_PATIENCE_MS
  for (;;) {
    const hold = await thisPlatform.holdFolder(dataDir, description).catch(error => {
      throw explainFileFault(dataDir, error)
    })
    if (hold.kind === 'held' || !(hold.by === COMMAND || hold.by === '') || Date.now() > deadline) return hold
    await delay(100)
  }
}

const connectionsOf = (config: StoreSettings, url: string): Pick<Store, 'owner' | 'pooled'> => {
  const direct = fromUrl(url, config.databaseUrlFile)
  if (config.databaseListenUrl === undefined) return { owner: direct }
  return { owner: fromUrl(config.databaseListenUrl, config.databaseListenUrlFile), pooled: direct }
}

const given = (config: StoreSettings, url: string): Store => ({
  ...connectionsOf(config, url),
  ...keptSecrets(config),
  close: async () => undefined,
})

const startHeld = async (config: StoreSettings, hold: Extract<Hold, { kind: 'held' }>): Promise<Store> => {
  try {
    const cluster = await startCluster(config.dataDir)
    const close = async (): Promise<void> => {
      await cluster.stop()
      await hold.holder.release()
    }
    return { owner: cluster.connection, ...keptSecrets(config), close }
  } catch (error) {
    await hold.holder.release()
    throw error
  }
}

/** For the service, which holds the data folder exclusively. */
export const openStore = async (config: StoreSettings, description: string): Promise<Store> => {
  if (config.databaseUrl !== undefined) return given(config, config.databaseUrl)
  prepareFolder(config.dataDir)
  const hold = await holdPatiently(config.dataDir, description)
  if (hold.kind === 'taken')
    throw new StartFault(
      `The data folder ${config.dataDir} is in use by ${hold.by}. Stop that first, or set DATA_DIR to another folder.`,
    )
  return startHeld(config, hold)
}

const describeGiven = (store: Store): BorrowedStore => ({
  ...store,
  installation: `database ${placeOf(store.owner)}, by DATABASE_URL`,
})

/** A service with another DATA_DIR is probably the one the user meant. */
const describeAlone = async (dataDir: string): Promise<string> => {
  const elsewhere = await thisPlatform.servicesElsewhere(dataDir)
  const hint = `Another data folder is in use by ${elsewhere.join(' and ')}: set DATA_DIR to that folder to work on it.`
  return `${dataDir}, which no service uses${elsewhere.length === 0 ? '' : `. ${hint}`}`
}

/** For a command: alongside a running service, or, if none runs, with the database started temporarily. */
export const borrowStore = async (config: StoreSettings): Promise<BorrowedStore> => {
  if (config.databaseUrl !== undefined) return describeGiven(given(config, config.databaseUrl))
  prepareFolder(config.dataDir)
  const hold = await holdPatiently(config.dataDir, COMMAND)
  if (hold.kind === 'held') {
    const store = await startHeld(config, hold)
    return { ...store, installation: await describeAlone(config.dataDir) }
  }
  const owner = findCluster(findHome(config.dataDir))
  if (owner === undefined)
    throw new StartFault(`The service on ${config.dataDir} is still starting. Try again in a moment.`)
  const installation = `${config.dataDir}, beside ${hold.by}`
  return { owner, ...keptSecrets(config), installation, close: async () => undefined }
}
