// A separate database for one test file, opened as the owner; closed and dropped at the end.
import { after, before } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { createTestDatabase } from './database.ts'

export const useDatabase = (
  prepare: (database: Database) => Promise<void> = async () => undefined,
): (() => Database) => {
  let opened: { database: Database; drop(): Promise<void> } | undefined
  before(async () => {
    const { connection, drop } = await createTestDatabase()
    opened = { database: openDatabase(connection, { poolSize: 6, log: createLogger('silent') }), drop }
    await prepare(opened.database)
  })
  after(async () => {
    await opened?.database.close()
    await opened?.drop()
  })
  return () => {
    if (opened === undefined) throw new Error('The database is not open yet.')
    return opened.database
  }
}
