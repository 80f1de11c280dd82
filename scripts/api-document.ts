// A fresh, migrated database → the text of docs/api.md.
import { readingScopes } from '../src/access/scopes.ts'
import { createLogger } from '../src/base/log.ts'
import { buildModel } from '../src/catalog/build-model.ts'
import { parseCatalog, readCatalogText } from '../src/catalog/raw-catalog.ts'
import type { Connection } from '../src/db/connection.ts'
import { openDatabase } from '../src/db/database.ts'
import { apiDocument } from '../src/graphql/document-api/api-document.ts'

export const apiDocumentOf = async (connection: Connection): Promise<string> => {
  const database = openDatabase(connection, { poolSize: 2, log: createLogger('silent') })
  try {
    const text = await readCatalogText(database, 'public', 'minaret_reader')
    return apiDocument(buildModel(parseCatalog(text), { schema: 'public', knownScopes: readingScopes }))
  } finally {
    await database.close()
  }
}
