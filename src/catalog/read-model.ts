// The catalogue's text → its version, and a model whose tables the reader role has been granted.
import { createHash } from 'node:crypto'
import type { Logger } from '../base/log.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import { type ReaderGroup, writerGroups } from '../db/roles.ts'
import { applyGrants } from './apply-grants.ts'
import { buildModel } from './build-model.ts'
import { missingGrants } from './grant-reading.ts'
import { missingWriteGrants } from './grant-writing.ts'
import type { Model } from './model.ts'
import type { RawCatalog } from './raw-catalog.ts'
import type { Granted } from './structure-state.ts'
import { watchWriting } from './watch-writing.ts'
import { withoutTables } from './without-tables.ts'
import { withoutWriting } from './without-writing.ts'

const UNREADABLE = 'the right to read a table could not be granted; the table is left out'
const UNWATCHED = 'what is written to a table could not be noted in the audit trail; it is only read'
const UNWRITABLE = 'the rights to write a table could not be corrected; it is only read'

const rights =
  /"(?:readable|executable|writtenByReader|insertable|updatable|deletable|emptiable|advanceable|callable)" : (?:true|false)|"granted" : \[.*\]\}$/gs

/** Rights are not structure: granting one must not look like a change. */
export const versionOf = (text: string): string =>
  createHash('sha256').update(text.replace(rights, '')).digest('hex').slice(0, 16)

export interface ReadOptions {
  readonly database: Database
  readonly schema: DataSchema
  readonly reader: ReaderGroup
  readonly knownScopes: readonly string[]
  readonly log: Logger
}

export const readModel = async (
  { database, schema, reader, knownScopes, log }: ReadOptions,
  text: string,
): Promise<{ readonly model: Model; readonly granted: Granted }> => {
  const catalog = JSON.parse(text) as RawCatalog
  const model = buildModel(catalog, { schema, knownScopes })
  const reading = missingGrants(catalog, model, reader)
  const writing = missingWriteGrants(catalog, model, { reader, writer: writerGroups[schema] })
  const unreadable = await applyGrants(database, reading, refusal => log.warn(refusal, UNREADABLE))
  const unwatched = await watchWriting(database, model, refusal => log.warn(refusal, UNWATCHED))
  const ungranted = await applyGrants(database, writing, refusal => log.warn(refusal, UNWRITABLE))
  const closed = new Set([...unwatched, ...ungranted])
  return {
    model: withoutWriting(withoutTables(model, unreadable), closed),
    granted: { withheld: [...unreadable, '', ...closed].join(), corrected: reading.length + writing.length > 0 },
  }
}
