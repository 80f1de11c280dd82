// Runs work on the installation's database: alongside a running service, or with the database started just for it.
import { createLogger } from '../base/log.ts'
import { awaitDatabase } from '../db/await-database.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { borrowStore, type Store } from '../db/store.ts'
import type { CommandConfig } from './command.ts'
import { checkInstallation } from './which-installation.ts'

const PATIENCE_MS = 5000

/** Says which installation the command works on. */
export const borrow = async (config: CommandConfig): Promise<Store> => {
  checkInstallation(config)
  const { installation, ...store } = await borrowStore(config)
  if (config.databaseUrl !== undefined) await awaitDatabase(store.owner, { say: config.say, patienceMs: PATIENCE_MS })
  config.say(`Installation: ${installation}`)
  return store
}

export const withDatabase = async <T>(
  config: CommandConfig,
  work: (database: Database) => Promise<T>,
  poolSize = 2,
): Promise<T> => {
  const log = createLogger(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const store = await borrow(config)
  try {
    // A command may run before the service has ever started.
    await migrate(store.owner, log)
    const database = openDatabase(store.owner, { poolSize, log })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await store.close()
  }
}
