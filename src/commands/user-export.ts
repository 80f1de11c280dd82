// `minaret user export`: everything kept about a person, as a ZIP file.
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findUserByEmail, type User } from '../accounts/users.ts'
import { commandActor, recordAudit } from '../audit/record-audit.ts'
import { Fault } from '../base/fault.ts'
import type { Queryable } from '../db/database.ts'
import { exportPerson } from '../own-data/export/export-person.ts'
import { baseUrlOf } from './base-url.ts'
import { type Command, textOption } from './command.ts'
import { withDatabase } from './with-database.ts'

/** @throws {Fault} `not_found` */
export const requireUser = async (queryable: Queryable, email: string): Promise<User> => {
  const user = await findUserByEmail(queryable, email)
  if (user === undefined) throw new Fault({ code: 'not_found', status: 404, message: `There is no account ${email}.` })
  return user
}

export const userExportCommand: Command = {
  name: 'user export',
  summary: 'Write everything kept about a person to a ZIP file.',
  usage: 'user export --email EMAIL --to FILE [--json]',
  options: { email: { type: 'string' }, to: { type: 'string' } },
  required: ['email', 'to'],
  run: (options, config) =>
    withDatabase(config, async database => {
      const user = await requireUser(database, textOption(options, 'email'))
      const file = resolve(textOption(options, 'to'))
      const zip = await exportPerson(database, { user, baseUrl: baseUrlOf(config) })
      // Nobody else on the machine reads it, and no file is overwritten.
      await pipeline(zip, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
      await recordAudit(database, { action: 'account.exported', actor: commandActor, userId: user.id })
      return { text: `Wrote what is kept about ${user.email} to ${file}.`, json: { id: user.id, file } }
    }),
}
