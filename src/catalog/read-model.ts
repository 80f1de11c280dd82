// The catalogue's text → its version, and a model whose tables the reader role has been granted.
import { createHash } from 'node:crypto'
import type { Logger } from '../base/log.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import type { ReaderGroup } from '../db/roles.ts'
import { buildModel } from './build-model.ts'
import { grantReading, missingGrants } from './grant-reading.ts'
import type { Model } from './model.ts'
import type { RawCatalog } from './raw-catalog.ts'
import type { Granted } from './structure-state.ts'
import { withoutTables } from './without-tables.ts'

/** Rights are not structure: granting one must not look like a change. */
export const versionOf = (text: string): string =>
  createHash('sha256')
    .update(text.replace(/"(readable|executable)" : (true|false)/g, ''))
    .digest('hex')
    .slice(0, 16)

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
  const grants = missingGrants(catalog, model, reader)
  const refused = await grantReading(database, grants, log)
  return {
    model: refused.size === 0 ? model : withoutTables(model, refused),
    granted: { withheld: [...refused].join(), corrected: grants.length > 0 },
  }
}
