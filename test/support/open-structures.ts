// A database of its own whose structure a test watches, as a service does.
import { readingScopes } from '../../src/access/scopes.ts'
import { createLogger } from '../../src/base/log.ts'
import type { Model } from '../../src/catalog/model.ts'
import { type StructureWatch, watchStructure } from '../../src/catalog/watch-structure.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { type Listener, openListener } from '../../src/db/listener.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export interface Structures {
  readonly made: TestDatabase
  readonly database: Database
  readonly listener: Listener
  /** `asked` takes the place of the database, to see or disturb what is asked of it. */
  watch<T>(build: (model: Model, version: string) => T, asked?: Database): Promise<StructureWatch<T>>
  close(): Promise<void>
}

export const openStructures = async (): Promise<Structures> => {
  const log = createLogger('silent')
  const made = await createTestDatabase()
  const database = openDatabase(made.connection, { poolSize: 2, log })
  const listener = await openListener(made.connection, log)
  const options = { listener, log, schema: 'public', reader: 'minaret_reader', knownScopes: readingScopes } as const
  return {
    made,
    database,
    listener,
    watch: (build, asked = database) => watchStructure({ ...options, database: asked, build }),
    close: async () => {
      await listener.close()
      await database.close()
      await made.drop()
    },
  }
}
