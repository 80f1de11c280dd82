// `minaret backup` and `minaret restore`: the whole installation but its secret, as a folder.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createLogger } from '../base/log.ts'
import { backUp } from '../db/backup/back-up.ts'
import { restore } from '../db/backup/restore.ts'
import { StartFault } from '../db/embedded/start-fault.ts'
import { migrate } from '../db/migrate.ts'
import { type Command, type Options, optionalText, textOption } from './command.ts'
import { borrow } from './with-database.ts'

const LEAST_PASSPHRASE = 12

const readPassphrase = (options: Options): string | undefined => {
  const file = optionalText(options, 'passphrase-file')
  if (file === undefined) return undefined
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartFault(`The passphrase file ${file} cannot be read.`, error)
  }
  if (text.length < LEAST_PASSPHRASE)
    throw new StartFault(`The passphrase in ${file} has fewer than ${LEAST_PASSPHRASE} characters.`)
  return text
}

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write the database to a folder, to restore it elsewhere with the same secret.',
  usage: 'backup --to FOLDER [--passphrase-file FILE] [--json]',
  options: { to: { type: 'string' }, 'passphrase-file': { type: 'string' } },
  required: ['to'],
  run: async (options, config) => {
    const folder = resolve(textOption(options, 'to'))
    const passphrase = readPassphrase(options)
    const store = await borrow(config)
    try {
      const manifest = await backUp({ connection: store.owner, secret: store.secret, folder, passphrase })
      const kept = 'Keep MINARET_SECRET elsewhere: without it the backup cannot be restored.'
      return { text: `Wrote the backup to ${folder}. ${kept}`, json: { folder, ...manifest } }
    } finally {
      await store.close()
    }
  },
}

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Fill an empty database from a backup.',
  usage: 'restore --from FOLDER [--passphrase-file FILE] [--json]',
  options: { from: { type: 'string' }, 'passphrase-file': { type: 'string' } },
  required: ['from'],
  run: async (options, config) => {
    const folder = resolve(textOption(options, 'from'))
    const passphrase = readPassphrase(options)
    const store = await borrow(config)
    try {
      const { createdAt } = await restore({ connection: store.owner, secret: store.secret, folder, passphrase })
      const migrations = await migrate(store.owner, createLogger('warn'))
      return {
        text: `Restored the backup of ${createdAt}. The service can start.`,
        json: { folder, createdAt, migrations },
      }
    } finally {
      await store.close()
    }
  },
}
