// The live database → the newest structure, read again when the database reports a change, and replaced atomically.

import type { Logger } from '../base/log.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import { givingWay, isBusy, tryUntilFree } from '../db/giving-way.ts'
import type { Listener } from '../db/listener.ts'
import type { ReaderGroup } from '../db/roles.ts'
import { sql } from '../db/sql.ts'
import { lookIfWritten } from './catalogue-mark.ts'
import { noteAlterations, unloggedTables } from './log-changes.ts'
import type { Model } from './model.ts'
import { findStructure, readModel } from './read-model.ts'
import { shareRecovery } from './share-recovery.ts'
import { findCopy, isWorthKeeping, keepCopy } from './structure-copy.ts'
import {
  type Found,
  type Granted,
  initialState,
  isInForce,
  isNew,
  isWorthReading,
  type Look,
  type StructureEvent,
  transition,
} from './structure-state.ts'

export interface WatchOptions<T> {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly schema: DataSchema
  readonly reader: ReaderGroup
  readonly knownScopes: readonly string[]
  /** Builds what the caller needs from a model; if it throws, the previous structure stays in force. */
  readonly build: (model: Model, version: string) => T
}

export interface StructureWatch<T> {
  /** The newest structure. Keep the returned value for the whole of one request. */
  current(): T
  /** Reads the structure after this call. */
  reload(): Promise<void>
  /** Resolves once a structure read after this call is in force; rejects if the one before stays, as a lock kept some of it back. */
  settle(): Promise<void>
  /** For a statement that met another structure or lacked a right: checks both, after a delay if necessary. */
  recover(): Promise<void>
  close(): void
}

const UNTOLD =
  'without event triggers the structure is asked for twice a second, and no answers are kept in memory: bin/minaret doctor says more'
const STRUCTURE_CHANNEL = 'minaret_structure'
const DEBOUNCE_MS = 50
const POLL_MS = 500
/** Not every change is notified: event triggers do not fire in replication sessions, and may be dropped. */
const SELDOM_MS = 30_000
/** Others held a lock that was needed. */
const BUSY_MS = 2000
/** So often the structure before stays in force, if the new one would lack a table for that reason alone. */
const MOST_POSTPONED = 10

/** Only a superuser may create event triggers. */
const isTold = async (database: Database): Promise<boolean> =>
  (await database.first(sql`
    select from pg_event_trigger
    where evtname = 'minaret_structure' and evtenabled <> 'D' and changes.hears_structure()`)) !== undefined

/** Logs each line once, and again only after it was gone. */
const sayNew = (say: (line: string) => void): ((lines: readonly string[]) => void) => {
  let said: ReadonlySet<string> = new Set()
  return lines => {
    for (const line of lines) if (!said.has(line)) say(line)
    said = new Set(lines)
  }
}

/** Debounces: requests in quick succession become one, shortly after the last. */
const soon = (work: () => void, delayMs = DEBOUNCE_MS): { ask(): void; stop(): void } => {
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearTimeout(timer)
  const ask = (): void => {
    stop()
    timer = setTimeout(work, delayMs)
  }
  return { ask, stop }
}

const QUICKLY: Look = { rightsToo: false }
const THOROUGHLY: Look = { rightsToo: true }

export const watchStructure = async <T>(options: WatchOptions<T>): Promise<StructureWatch<T>> => {
  const { database, listener, log, schema } = options
  const giving = { ...options, database: givingWay(database) }
  let told = true
  let postponed = 0
  /** Whether what was read last is in force. */
  let isSettled = false
  let state = initialState
  let structure: T | undefined
  /** Callers waiting for the read after the one in progress. */
  let following: PromiseWithResolvers<void> | undefined
  const happened = (event: StructureEvent): void => {
    state = transition(state, event)
  }
  const sayLeftOut = sayNew(line => log.warn({ schema }, `left out of the API: ${line}`))
  const sayUnlogged = sayNew(table => log.warn({ table }, 'the changes of a table are not logged'))

  const putInForce = (model: Model, found: Found, granted: Granted): void => {
    const { version } = found
    happened({ kind: 'refused', version })
    structure = options.build(model, version)
    happened({ kind: 'built', found, granted })
    sayLeftOut(model.leftOut)
    sayUnlogged(unloggedTables(model))
    log.info({ schema, version, tables: model.tables.size }, 'the structure of the API was read')
  }

  /** For those that start after this one. Without it, they read everything themselves. */
  const keep = async (mark: string, found: Found): Promise<void> => {
    await keepCopy(database, schema, mark, found).catch(err =>
      log.warn({ err, schema }, 'no copy of the structure is kept'),
    )
  }

  const read = async (look: Look): Promise<void> => {
    const { mark } = look
    const copy = mark === undefined ? undefined : await findCopy(database, schema, mark)
    const first = copy ?? (await findStructure(giving))
    isSettled = isInForce(state, first)
    if (!isWorthReading(state, look, first)) return
    const correcting = { ...giving, correctedBy: listener.id, isWatched: copy !== undefined }
    const { found, model, granted, busy, incomplete } = await readModel(correcting, first)
    if (busy) again.ask()
    postponed = incomplete ? postponed + 1 : 0
    isSettled = false
    if (incomplete && structure !== undefined && postponed <= MOST_POSTPONED) return
    if (isNew(state, found, granted)) putInForce(model, found, granted)
    else happened({ kind: 'granted', found, granted })
    isSettled = true
    if (mark !== undefined && copy === undefined && isWorthKeeping(granted)) await keep(mark, found)
  }

  /** The next one starts as the last ends, so that no request can come in between. */
  const begin = async (waiting: PromiseWithResolvers<void>): Promise<void> => {
    const failure = await read(state.reading ?? QUICKLY).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    happened({ kind: 'ended' })
    const next = following
    following = undefined
    if (next !== undefined) void begin(next)
    if (failure === undefined) waiting.resolve()
    else waiting.reject(failure.error)
  }

  const reload = (look: Look = QUICKLY): Promise<void> => {
    const isUnderWay = state.reading !== undefined
    happened({ kind: 'asked', look })
    if (isUnderWay) {
      following ??= Promise.withResolvers()
      return following.promise
    }
    const waiting = Promise.withResolvers<void>()
    void begin(waiting)
    return waiting.promise
  }

  const sayUnread = (error: unknown): void => {
    if (isBusy(error)) again.ask()
    else log.error({ err: error, schema }, 'the structure could not be read')
  }
  const quietly = (work: () => Promise<void>): void => {
    if (!state.closed) work().catch(sayUnread)
  }
  const reloadQuietly = (look: Look = QUICKLY): void => quietly(() => reload(look))
  /** Reading everything takes a while, and every process would do it at once after a restart of the database. */
  const lookIfNeeded = lookIfWritten({
    database,
    schema,
    look: async mark => {
      told = await isTold(database)
      await reload(mark === undefined ? QUICKLY : { ...QUICKLY, mark })
      if (!told) await noteAlterations(giving.database, schema)
    },
  })
  const settle = async (): Promise<void> => {
    await lookIfNeeded()
    if (!isSettled) await reload()
    if (!isSettled) throw new Error('the structure that was read is not in force')
  }
  const news = soon(() => reloadQuietly())
  const again = soon(() => reloadQuietly(THOROUGHLY), BUSY_MS)
  const recover = shareRecovery({ revision: () => state.revision, reload: () => reload(THOROUGHLY) })

  await listener.on(STRUCTURE_CHANNEL, correctedBy => {
    if (correctedBy !== listener.id) news.ask()
  })
  listener.onReconnected(() => quietly(lookIfNeeded))
  const poll = setInterval(() => {
    if (!told || !listener.connected) quietly(lookIfNeeded)
  }, POLL_MS)
  poll.unref()
  const seldom = setInterval(() => quietly(lookIfNeeded), SELDOM_MS)
  seldom.unref()
  await tryUntilFree(lookIfNeeded)
  if (!told) log.info({ schema }, UNTOLD)

  return {
    current: () => {
      if (structure === undefined) throw new Error('the structure has not been read yet')
      return structure
    },
    reload: () => reload(),
    settle,
    recover,
    close: () => {
      happened({ kind: 'closed' })
      clearInterval(poll)
      clearInterval(seldom)
      news.stop()
      again.stop()
    },
  }
}
