// `minaret user erase`: erases an account, or those that came back with a restored backup.
import { readFileSync } from 'node:fs'
import { commandActor } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { askForErasure } from '../own-data/erase/ask-erasure.ts'
import { baseUrlOf } from './base-url.ts'
import { type Command, type CommandConfig, type Options, type Outcome, optionalText, UsageFault } from './command.ts'
import { requireUser } from './user-export.ts'
import { withDatabase } from './with-database.ts'

const eraseOne = async (database: Database, email: string, days: number, config: CommandConfig): Promise<Outcome> => {
  const user = await requireUser(database, email)
  const services = { database, baseUrl: baseUrlOf(config), erasureDays: days }
  const dueAt = await askForErasure(services, { user, actor: commandActor })
  if (days > 0)
    return {
      text: `The account ${email} is disabled, and is erased on ${dueAt.toISOString().slice(0, 10)}. A mail has a link that calls it off.`,
      json: { id: user.id, due_at: dueAt.toISOString(), erased: false },
    }
  // Imported lazily: it tells apps through webhooks, and the other commands start faster without all that.
  const { runUntilErased } = await import('../own-data/erase/run-erasure.ts')
  await runUntilErased(database, [user.id])
  return { text: `Erased the account ${email}.`, json: { id: user.id, erased: true } }
}

const readDigests = (file: string): string[] => {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  const wrong = lines.find(line => !/^[0-9a-f]{64}$/.test(line))
  if (wrong !== undefined) throw new UsageFault(`${file} is not a list written by "minaret user erase --list".`)
  return lines
}

const run = async (database: Database, options: Options, config: CommandConfig): Promise<Outcome> => {
  // Imported lazily, as above.
  const { eraseAgain, listErased } = await import('../own-data/erase/erase-again.ts')
  if (options.list === true) {
    const erased = await listErased(database)
    return { text: erased.join('\n'), json: { erased } }
  }
  const again = optionalText(options, 'again')
  if (again !== undefined) {
    const count = await eraseAgain(database, readDigests(again))
    return { text: `Erased again: ${count}.`, json: { erased: count } }
  }
  return eraseOne(database, optionalText(options, 'email') ?? '', options.now === true ? 0 : config.erasureDays, config)
}

export const userEraseCommand: Command = {
  name: 'user erase',
  summary: 'Erase an account; after a restore, those who were erased since the backup.',
  usage: 'user erase (--email EMAIL [--now] | --list | --again FILE) [--json]',
  options: {
    email: { type: 'string' },
    now: { type: 'boolean' },
    list: { type: 'boolean' },
    again: { type: 'string' },
  },
  required: [],
  run: async (options, config) => {
    const asked = [options.email, options.list, options.again].filter(one => one !== undefined)
    if (asked.length !== 1) throw new UsageFault('Give one of --email, --list and --again.')
    return withDatabase(config, database => run(database, options, config))
  },
}
