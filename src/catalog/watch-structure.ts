// The live database → the newest structure, read again when the database says that it changed, and swapped in at once.

import { createHash } from 'node:crypto'
import type { Logger } from '../base/log.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import type { ReaderGroup } from '../db/roles.ts'
import { sql } from '../db/sql.ts'
import { buildModel } from './build-model.ts'
import { grantReading, missingGrants } from './grant-reading.ts'
import type { Model } from './model.ts'
import { type RawCatalog, readCatalogText } from './raw-catalog.ts'
import { shareRecovery } from './share-recovery.ts'
import { withoutTables } from './without-tables.ts'

export interface WatchOptions<T> {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly schema: DataSchema
  readonly reader: ReaderGroup
  readonly knownScopes: readonly string[]
  /** Makes of a model what the caller needs; what throws here leaves the structure before in force. */
  readonly build: (model: Model, version: string) => T
}

export interface StructureWatch<T> {
  /** The newest structure. Keep what it returns for the whole of one request. */
  current(): T
  /** Resolves when a structure read after this call is in force. */
  reload(): Promise<void>
  /** For a statement that met another structure, or lacked a right: looks at both, if need be after a moment. */
  recover(): Promise<void>
  close(): void
}

const STRUCTURE_CHANNEL = 'minaret_structure'
const DEBOUNCE_MS = 50
const POLL_MS = 500
/** Not every change is told: event triggers are silent in a session of replication, and may be dropped. */
const SELDOM_MS = 30_000

/** Rights are not structure: giving one must not look like a change. */
const versionOf = (text: string): string =>
  createHash('sha256')
    .update(text.replace(/"(readable|executable)" : (true|false)/g, ''))
    .digest('hex')
    .slice(0, 16)

const hasTrigger = async (database: Database): Promise<boolean> =>
  (await database.first(
    sql`select from pg_event_trigger where evtname = 'minaret_structure' and evtenabled <> 'D'`,
  )) !== undefined

interface ReadModel {
  readonly model: Model
  /** The tables that are left out as no right to them could be given. */
  readonly withheld: string
  /** Whether the reader's rights were other than they should be. */
  readonly mended: boolean
}

const readModel = async (options: WatchOptions<unknown>, text: string): Promise<ReadModel> => {
  const { database, schema, reader, knownScopes, log } = options
  const catalog = JSON.parse(text) as RawCatalog
  const model = buildModel(catalog, { schema, knownScopes })
  const grants = missingGrants(catalog, model, reader)
  const refused = await grantReading(database, grants, log)
  return {
    model: refused.size === 0 ? model : withoutTables(model, refused),
    withheld: [...refused].join(),
    mended: grants.length > 0,
  }
}

export const watchStructure = async <T>(options: WatchOptions<T>): Promise<StructureWatch<T>> => {
  const { database, listener, log, schema, reader } = options
  let structure: T | undefined
  let version: string | undefined
  /** The catalogue, rights included, that was last found to need nothing. */
  let known: string | undefined
  let withheld = ''
  let lookAtRights = false
  let revision = 0
  /** A structure that nothing could be made of is not tried again and again. */
  let refused: string | undefined
  let said = new Set<string>()
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const sayLeftOut = (lines: readonly string[]): void => {
    for (const line of lines) if (!said.has(line)) log.warn({ schema }, `left out of the API: ${line}`)
    said = new Set(lines)
  }

  const putInForce = (model: Model, found: string): void => {
    refused = found
    structure = options.build(model, found)
    refused = undefined
    version = found
    revision += 1
    sayLeftOut(model.leftOut)
    log.info({ schema, version, tables: model.tables.size }, 'the structure of the API was read')
  }

  /** Rights are looked at with a new structure, and when a statement failed: two processes that differ must not fight. */
  const load = async (): Promise<void> => {
    const rightsToo = lookAtRights
    lookAtRights = false
    const text = await readCatalogText(database, schema, reader)
    const found = versionOf(text)
    const same = found === version && (!rightsToo || text === known)
    if (same || found === refused || closed) return
    const read = await readModel(options, text)
    if (found !== version || read.withheld !== withheld) putInForce(read.model, found)
    known = read.mended ? undefined : text
    withheld = read.withheld
  }

  /** One at a time; whoever asks during one gets the next, since the one under way may have looked too early. */
  const reload = (): Promise<void> => {
    if (running === undefined) {
      running = load().finally(() => {
        running = undefined
      })
      return running
    }
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        return reload()
      })
    return waiting
  }

  const reloadQuietly = (): void => {
    if (!closed) reload().catch(error => log.error({ err: error, schema }, 'the structure could not be read'))
  }
  const reloadSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(reloadQuietly, DEBOUNCE_MS)
  }

  const recover = shareRecovery({
    revision: () => revision,
    reload: () => {
      lookAtRights = true
      return reload()
    },
  })

  await listener.on(STRUCTURE_CHANNEL, reloadSoon)
  listener.onReconnected(reloadSoon)
  const told = await hasTrigger(database)
  if (!told) log.info('the database may not tell of changes in its structure; it is asked twice a second')
  const poll = setInterval(() => {
    if (!told || !listener.connected) reloadQuietly()
  }, POLL_MS)
  poll.unref()
  const seldom = setInterval(reloadQuietly, SELDOM_MS)
  seldom.unref()
  await reload()

  return {
    current: () => {
      if (structure === undefined) throw new Error('the structure has not been read yet')
      return structure
    },
    reload,
    recover,
    close: () => {
      closed = true
      clearInterval(poll)
      clearInterval(seldom)
      clearTimeout(timer)
    },
  }
}
