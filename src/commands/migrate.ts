// `minaret migrate`: applies pending migrations and lists them.
import { createLogger } from '../base/log.ts'
import { migrate } from '../db/migrate.ts'
import type { Command } from './command.ts'
import { borrow } from './with-database.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Run pending migrations.',
  usage: 'migrate [--json]',
  options: {},
  required: [],
  run: async (_options, config) => {
    const store = await borrow(config)
    try {
      const done = await migrate(store.owner, createLogger(config.logLevel))
      const text =
        done.length === 0
          ? 'There are no pending migrations.'
          : `Ran ${done.length} migrations:\n${done.map(name => `  ${name}`).join('\n')}`
      return { text, json: { migrations: done } }
    } finally {
      await store.close()
    }
  },
}
