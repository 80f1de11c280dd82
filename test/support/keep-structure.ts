// A database's structure, read and kept as a service does it: those that start on a copy of the database need not read it again.
import { readingScopes } from '../../src/access/scopes.ts'
import { createLogger } from '../../src/base/log.ts'
import { watchStructure } from '../../src/catalog/watch-structure.ts'
import type { Connection } from '../../src/db/connection.ts'
import { dataSchemas } from '../../src/db/data-schema.ts'
import { openDatabase } from '../../src/db/database.ts'
import { openListener } from '../../src/db/listener.ts'
import { readerGroups } from '../../src/db/roles.ts'

export const keepStructure = async (connection: Connection): Promise<void> => {
  const log = createLogger('silent')
  const database = openDatabase(connection, { poolSize: 1, log })
  const listener = await openListener(connection, log)
  const options = { database, listener, log, knownScopes: readingScopes, build: () => true }
  try {
    // The first time, rights and triggers may have to be corrected, and nothing is kept.
    for (const schema of [...dataSchemas, ...dataSchemas])
      (await watchStructure({ ...options, schema, reader: readerGroups[schema] })).close()
  } finally {
    await listener.close()
    await database.close()
  }
}
