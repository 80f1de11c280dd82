// The catalogue's text → its version, and a model whose tables the reader role has been granted.
import type { Logger } from '../base/log.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { GivingWay } from '../db/giving-way.ts'
import { type ReaderGroup, writerGroups } from '../db/roles.ts'
import { applyGrants } from './apply-grants.ts'
import { asCorrections } from './as-corrections.ts'
import { buildModel } from './build-model.ts'
import { missingGrants } from './grant-reading.ts'
import { missingWriteGrants } from './grant-writing.ts'
import { logChanges, readLogged } from './log-changes.ts'
import type { Model } from './model.ts'
import { parseCatalog, type RawCatalog, readCatalogText } from './raw-catalog.ts'
import { asFound, type Found, type Granted } from './structure-state.ts'
import { watchWriting } from './watch-writing.ts'
import { withoutTables } from './without-tables.ts'
import { withoutWriting } from './without-writing.ts'

const UNREADABLE = 'the right to read a table could not be granted; the table is left out'
const UNLOGGED = 'the triggers of the change log could not be created; the changes of a table are not logged'
const UNWATCHED = 'what is written to a table could not be noted in the audit trail; it is only read'
const UNWRITABLE = 'the rights to write a table could not be corrected; it is only read'

export interface ReadOptions {
  readonly database: GivingWay
  readonly schema: DataSchema
  readonly reader: ReaderGroup
  readonly knownScopes: readonly string[]
  readonly log: Logger
  /** Who is named in notifications of what is corrected. */
  readonly correctedBy?: string
  /** A process before this one has seen to the audit trail of every table. */
  readonly isWatched?: boolean
}

/**
 * Which tables are logged is read first. A table that is dropped in between is then not in the catalogue at all; the other way
 * round it would be there without its triggers, and subscriptions to it would end as if it had never been logged.
 */
export const findStructure = async ({ database, schema, reader }: ReadOptions): Promise<Found> => {
  const logged = await readLogged(database, schema)
  const catalogue = await readCatalogText(database, schema, reader)
  return asFound(catalogue, logged)
}

interface ReadModel {
  readonly found: Found
  readonly model: Model
  readonly granted: Granted
  /** Something could not be corrected because others hold a lock: worth another attempt. */
  readonly busy: boolean
  /** A table is left out, or only read, for that reason alone. */
  readonly incomplete: boolean
}

interface Built {
  readonly found: Found
  readonly catalog: RawCatalog
  readonly model: Model
}

const build = ({ schema, knownScopes }: ReadOptions, found: Found): Built => {
  const catalog = parseCatalog(found.catalogue, found.logged)
  return { found, catalog, model: buildModel(catalog, { schema, knownScopes }) }
}

/** Creating the triggers changes nothing in the catalogue, so it need not be read again. */
const logged = async (options: ReadOptions, first: Built): Promise<Built & { readonly busy: boolean }> => {
  const { database, schema, log } = options
  const { changed, busy } = await logChanges(database, first.model, refusal => log.warn(refusal, UNLOGGED))
  if (!changed) return { ...first, busy }
  // With those from before: one of them may have been dropped since, and the catalogue still has it.
  const now = first.found.logged.union(await readLogged(database, schema))
  return { ...build(options, { ...first.found, logged: now }), busy }
}

export const readModel = async (given: ReadOptions, first: Found): Promise<ReadModel> => {
  const { schema, reader, log, correctedBy, isWatched = false } = given
  const database = correctedBy === undefined ? given.database : asCorrections(given.database, correctedBy)
  const options = { ...given, database }
  const { found, catalog, model, busy } = await logged(options, build(options, first))
  const reading = missingGrants(catalog, model, reader)
  const writing = missingWriteGrants(catalog, model, { reader, writer: writerGroups[schema] })
  const readable = await applyGrants(database, reading, refusal => log.warn(refusal, UNREADABLE))
  const watched = isWatched
    ? { refused: new Set<string>(), busy: false }
    : await watchWriting(database, model, refusal => log.warn(refusal, UNWATCHED))
  const writable = await applyGrants(database, writing, refusal => log.warn(refusal, UNWRITABLE))
  const closed = new Set([...watched.refused, ...writable.refused])
  const incomplete = readable.busy || watched.busy || writable.busy
  const corrected = reading.length + writing.length > 0
  return {
    found,
    model: withoutWriting(withoutTables(model, readable.refused), closed),
    granted: {
      withheld: [...readable.refused, '', ...closed].join(),
      corrected: corrected || busy || incomplete,
    },
    busy: busy || incomplete,
    incomplete,
  }
}
